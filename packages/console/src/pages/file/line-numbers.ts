import { countBreaks, type FileRows } from "./rows.ts";

/** A byte of a file whose line number is known. */
export interface KnownLine {
  offset: number;
  /** From 1. */
  line: number;
}

/** Line numbers by byte offset: that of the first byte, and any remembered ones. */
export type KnownLines = Map<number, number>;

export const firstLine = (): KnownLines => new Map([[0, 1]]);

/**
 * The line number of the first row, or undefined if no line of the part is known. The lines of the offsets in
 * `remembered` are known from then on, so neighboring parts get theirs.
 */
export function lineOfFirst(
  rows: FileRows,
  positions: readonly KnownLine[],
  { known, remembered }: { known: KnownLines; remembered: readonly number[] },
): number | undefined {
  const isLoaded = (offset: number) => offset >= rows.start && offset <= rows.start + rows.bytes.length;
  const kept = remembered.flatMap((offset) => ({ offset, line: known.get(offset) }));
  const position = [...kept, ...positions].find(({ offset, line }) => line !== undefined && isLoaded(offset));
  if (position?.line === undefined) return undefined;
  const first = position.line - breaksBefore(rows, position.offset);
  for (const offset of remembered)
    if (isLoaded(offset)) known.set(offset, first + breaksBefore(rows, offset));
  return first;
}

const breaksBefore = ({ bytes, start, starts }: FileRows, offset: number) =>
  countBreaks(bytes, starts[0] ?? 0, offset - start);
