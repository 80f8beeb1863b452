import { KeyTable, keyOf } from "./key-table.ts";

/** The entities in one place that a search looks at: with very many of one name, the time does not grow with all. */
const mostCandidates = 32;

/** Entities by their places, which several may share. */
export class PlaceTable {
  /** The entities by their place and their turn in it. */
  readonly #numbers = new KeyTable();
  /** The number of entities in each place. */
  readonly #counts = new KeyTable();
  /** The turn of the first one in each place that may be free. */
  readonly #first = new KeyTable();

  add(place: string, number: number): void {
    const key = keyOf(place);
    const turn = this.#counts.get(key) ?? 0;
    this.#numbers.set(keyOf(place, turn), number);
    this.#counts.set(key, turn + 1);
  }

  /** Finds the first entity in a place that is free and possible. What is not free once must stay so. */
  find(
    place: string,
    isFree: (number: number) => boolean,
    isPossible: (number: number) => boolean,
  ): number | undefined {
    const key = keyOf(place);
    const count = this.#counts.get(key) ?? 0;
    const at = (turn: number) => this.#numbers.get(keyOf(place, turn))!;
    let first = this.#first.get(key) ?? 0;
    while (first < count && !isFree(at(first))) first++;
    this.#first.set(key, first);
    const end = Math.min(count, first + mostCandidates);
    for (let turn = first; turn < end; turn++) if (isFree(at(turn)) && isPossible(at(turn))) return at(turn);
    return undefined;
  }
}
