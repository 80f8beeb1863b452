import { type FileRows, rowAt } from "./rows.ts";

/** A marker about a position of a file, in a row of its own below the row with that position. */
export interface Marker {
  /** Unique among the markers. */
  id: string;
  offset: number;
}

/** The rows of a part of a file, interleaved with markers. */
export interface Layout<Note extends Marker> {
  count: number;
  /** The file row or marker in a slot of the list. */
  at(slot: number): { row: number } | { marker: Note };
  /** The slot of a file row in the list. */
  slotOf(row: number): number;
}

/** Puts markers, ordered by offset, below the rows that contain their positions. */
export function layoutOf<Note extends Marker>(rows: FileRows, markers: readonly Note[]): Layout<Note> {
  const end = rows.start + rows.bytes.length;
  const isLast = end === rows.size;
  const shown = markers
    .filter(({ offset }) => offset >= rows.start && (offset < end || isLast))
    .map((marker) => ({ marker, row: rowAt(rows, marker.offset) }));
  // The slot of each marker: the rows and markers before it.
  const slots = shown.map(({ row }, i) => row + 1 + i);
  return {
    count: rows.count + shown.length,
    at(slot) {
      const before = firstFrom(slots, slot);
      const marker = slots[before] === slot ? shown[before]?.marker : undefined;
      return marker === undefined ? { row: slot - before } : { marker };
    },
    slotOf: (row) => row + firstAfter(shown, row),
  };
}

/** The number of markers above the slot. */
const firstFrom = (slots: readonly number[], slot: number) => countWhile(slots, (each) => each < slot);

/** The number of markers whose rows are above the row. */
const firstAfter = (shown: readonly { row: number }[], row: number) =>
  countWhile(shown, (each) => each.row < row);

/** The length of the leading run for which a predicate holds; it must hold for no later item. */
function countWhile<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
