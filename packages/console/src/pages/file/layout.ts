import { type FileRows, rowAt } from "./rows.ts";

/** Something that is said about a place of a file, in a row of its own below the one with the place. */
export interface Marker {
  /** A name of its own among the markers. */
  id: string;
  offset: number;
}

/** The rows of a part of a file, with the markers between them. */
export interface Layout<Note extends Marker> {
  count: number;
  /** The row of the file at a place of the list, or the marker. */
  at(place: number): { row: number } | { marker: Note };
  /** The place of a row of the file in the list. */
  placeOf(row: number): number;
}

/** Puts markers, in the order of their offsets, below the rows of a part that have their places. */
export function layoutOf<Note extends Marker>(rows: FileRows, markers: readonly Note[]): Layout<Note> {
  const end = rows.start + rows.bytes.length;
  const isLast = end === rows.size;
  const shown = markers
    .filter(({ offset }) => offset >= rows.start && (offset < end || isLast))
    .map((marker) => ({ marker, row: rowAt(rows, marker.offset) }));
  // The place of each marker: rows and markers before it.
  const places = shown.map(({ row }, i) => row + 1 + i);
  return {
    count: rows.count + shown.length,
    at(place) {
      const before = firstFrom(places, place);
      const marker = places[before] === place ? shown[before]?.marker : undefined;
      return marker === undefined ? { row: place - before } : { marker };
    },
    placeOf: (row) => row + firstAfter(shown, row),
  };
}

/** The number of markers above the place. */
const firstFrom = (places: readonly number[], place: number) => countWhile(places, (each) => each < place);

/** The number of markers whose rows are above the row. */
const firstAfter = (shown: readonly { row: number }[], row: number) =>
  countWhile(shown, (each) => each.row < row);

/** The number of items at the beginning that a predicate holds for: it holds for none that follow. */
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
