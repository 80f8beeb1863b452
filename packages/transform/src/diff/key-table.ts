import { sha1Hex, sha1Key } from "#sha1";

/** A hash of a text; two texts collide with a probability of 1 in 2^64. */
export type Key = bigint;

export const keyOf = (...parts: readonly (string | number)[]): Key => sha1Key(parts.join("\0"));

/** A map of keys to numbers from 0, with 12 bytes per slot and a load factor of at most 60 %. */
export class KeyTable {
  #keys = new BigUint64Array(16);
  /** The number of each key plus 1; 0 in a free slot. */
  #numbers = new Int32Array(16);
  #size = 0;

  get(key: Key): number | undefined {
    const number = this.#numbers[this.#slotOf(key)]!;
    return number === 0 ? undefined : number - 1;
  }

  set(key: Key, number: number): void {
    if (this.#size >= this.#keys.length * 0.6) this.#grow();
    const slot = this.#slotOf(key);
    if (this.#numbers[slot] === 0) this.#size++;
    this.#keys[slot] = key;
    this.#numbers[slot] = number + 1;
  }

  *entries(): Generator<[Key, number]> {
    for (const [slot, number] of this.#numbers.entries())
      if (number !== 0) yield [this.#keys[slot]!, number - 1];
  }

  #slotOf(key: Key): number {
    const last = this.#keys.length - 1;
    let slot = Number(key & 0x3fff_ffffn) & last;
    while (this.#numbers[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const [keys, numbers] = [this.#keys, this.#numbers];
    this.#keys = new BigUint64Array(keys.length * 2);
    this.#numbers = new Int32Array(keys.length * 2);
    for (const [i, number] of numbers.entries()) {
      if (number === 0) continue;
      const slot = this.#slotOf(keys[i]!);
      this.#keys[slot] = keys[i]!;
      this.#numbers[slot] = number;
    }
  }
}

/** Ids derived deterministically from a taken one, so that repeated comparisons agree. */
export function* otherIds(id: string): Generator<string> {
  for (let next = id; ; ) {
    next = sha1Hex(next).slice(0, 24);
    yield next;
  }
}
