import type { NewSlot } from "./changes.ts";

/** An entry of a folder in the tenant that is changed: an item by its number, or a shortcut. */
export type Entry = number | "shortcut";

export interface FolderChange {
  readonly folderId: string;
  /** Everything in the folder, in its order, without the items that have been moved out of it by now. */
  readonly before: readonly Entry[];
  /** The items that are to be in it, in their order: their numbers before, undefined for new ones. */
  readonly after: readonly (number | undefined)[];
}

/** The highest position that a payload may ask for. */
const maxPosition = 100_000;

/** The slots of the items of a folder, in their order: undefined for each that stays where it is. */
export interface Slots {
  readonly slots: readonly (NewSlot | undefined)[];
  /** True if anything is put among what stays, and not behind it. */
  readonly isDisturbed: boolean;
  /** The number of items whose slot is too far behind for an operation. */
  readonly tooFar: number;
}

/**
 * Finds the slot of each item of a folder, such that they come in their order. As many as possible stay; the others
 * are put right behind the one before, one after the other. A position counts everything in the folder at that time.
 */
export function slotsIn({ folderId, before, after }: FolderChange): Slots {
  const indexes = new Map<Entry, number>(before.map((entry, i) => [entry, i]));
  const own = after.map((number) => (number === undefined ? undefined : indexes.get(number)));
  const staying = longestIncreasing(own);
  if (staying.size === after.length)
    return { slots: after.map(() => undefined), isDisturbed: false, tooFar: 0 };
  const lastStaying = own.findLastIndex((index) => index !== undefined && staying.has(index));
  const others = new CountBefore(before.length);
  for (const i of before.keys()) if (!staying.has(i)) others.add(i, 1);
  let [behind, tooFar] = [-1, 0];
  const slots = own.map((index, i): NewSlot | undefined => {
    if (index !== undefined && staying.has(index)) {
      behind = index;
      return undefined;
    }
    if (index !== undefined) others.add(index, -1);
    const isLast = i > lastStaying;
    if (isLast && index === undefined) return { parentId: folderId };
    const position = 1 + i + others.before(isLast ? before.length : behind);
    if (position <= maxPosition) return { parentId: folderId, position };
    tooFar++;
    return index === undefined ? { parentId: folderId } : undefined;
  });
  return { slots, isDisturbed: slots.some((slot) => slot?.position !== undefined), tooFar };
}

/** Finds a longest increasing run among some numbers; the numbers of the run. */
function longestIncreasing(numbers: readonly (number | undefined)[]): Set<number> {
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const number of numbers) {
    if (number === undefined) continue;
    const at = firstNotBelow(ends, number);
    before.set(number, ends[at - 1]);
    ends[at] = number;
  }
  const run = new Set<number>();
  for (let number = ends.at(-1); number !== undefined; number = before.get(number)) run.add(number);
  return run;
}

function firstNotBelow(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts entries before a slot, in logarithmic time: a Fenwick tree. */
class CountBefore {
  readonly #sums: Int32Array;

  constructor(length: number) {
    this.#sums = new Int32Array(length + 1);
  }

  add(index: number, count: number): void {
    for (let i = index + 1; i < this.#sums.length; i += i & -i) this.#sums[i]! += count;
  }

  before(index: number): number {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.#sums[i]!;
    return sum;
  }
}
