/**
 * Remembers where keys were first seen, in 24 to 48 bytes each: a 64-bit hash and a line number, in a table that is
 * half full at most. The probability that two of a million keys have the same hash is about 3e-8.
 */
export class SeenKeys {
  #count = 0;
  #mask = 1023;
  /** Three numbers per slot: two halves of the hash, and the line, which is 0 if the slot is free. */
  #table = new Uint32Array(3 * 1024);

  /** Adds a key. Returns the line on which it was seen before; undefined for a new one. */
  add(key: string, line: number): number | undefined {
    if (this.#count * 2 > this.#mask) this.#grow();
    const [high, low] = hashOf(key);
    const known = this.#put(high, low, line);
    if (known === 0) this.#count++;
    return known === 0 ? undefined : known;
  }

  /** Puts a hash into the table unless it is there. Returns the line it has there, or 0. */
  #put(high: number, low: number, line: number): number {
    const table = this.#table;
    for (let slot = low & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = 3 * slot;
      const known = table[at + 2]!;
      if (known === 0) table.set([high, low, line], at);
      else if (table[at] !== high || table[at + 1] !== low) continue;
      return known;
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#mask = 2 * this.#mask + 1;
    this.#table = new Uint32Array(3 * (this.#mask + 1));
    for (let at = 0; at < before.length; at += 3)
      if (before[at + 2] !== 0) this.#put(before[at]!, before[at + 1]!, before[at + 2]!);
  }
}

/** Two 32-bit hashes of a text (FNV-1a with two different multipliers, mixed at the end). */
function hashOf(key: string): [high: number, low: number] {
  let [high, low] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
  }
  return [mixed(high), mixed(low)];
}

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (whole ^ (whole >>> 16)) >>> 0;
}
