import type { NewSlot } from "./changes.ts";

/** An entry of a folder of the changed tenant: an item's number, or a shortcut. */
export type Entry = number | "shortcut";

export interface FolderChange {
  readonly folderId: string;
  /** The folder's entries in order, without items that have already been moved out. */
  readonly before: readonly Entry[];
  /** The wanted items in order: their previous numbers, undefined for new ones. */
  readonly after: readonly (number | undefined)[];
}

/** The highest position a payload may request. */
const maxPosition = 100_000;

/** The slots of a folder's items in order; undefined for items that stay in place. */
export interface Slots {
  readonly slots: readonly (NewSlot | undefined)[];
  /** True if an entry is put between others, rather than at the end. */
  readonly isDisturbed: boolean;
  /** The number of items whose slot is beyond the highest position. */
  readonly tooFar: number;
}

/**
 * Finds a slot for each item of a folder so that they end up in order. As many items as possible stay in place; each of
 * the others is put right after the item before it. A position counts all entries of the folder at that time.
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

/** Returns the numbers of a longest increasing subsequence. */
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

/** Counts entries before a slot in logarithmic time (a Fenwick tree). */
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
