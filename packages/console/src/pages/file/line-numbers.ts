import { countBreaks, type FileRows } from "./rows.ts";

/** A byte of a file whose line number is known. */
export interface KnownLine {
  offset: number;
  /** From 1. */
  line: number;
}

/** Line numbers by byte offset: that of the first byte, and any remembered ones. */
type KnownLines = ReadonlyMap<number, number>;

export const firstLine = (): KnownLines => new Map([[0, 1]]);

/**
 * The line number of the first row, or undefined if no line of the part is known, be it one of `positions` or
 * one known at an offset in `remembered`.
 */
export function lineOfFirst(
  rows: FileRows,
  positions: readonly KnownLine[],
  { known, remembered }: { known: KnownLines; remembered: readonly number[] },
): number | undefined {
  const kept = remembered.flatMap((offset) => ({ offset, line: known.get(offset) }));
  const position = [...kept, ...positions].find(
    ({ offset, line }) => line !== undefined && isLoaded(rows, offset),
  );
  if (position?.line === undefined) return undefined;
  return position.line - breaksBefore(rows, position.offset);
}

/** Adds the lines of loaded offsets, so that neighboring parts get theirs. `first` is the first row's. */
export function withLines(
  known: KnownLines,
  rows: FileRows,
  { first, remembered }: { first: number; remembered: readonly number[] },
): KnownLines {
  const fresh = remembered.filter((offset) => isLoaded(rows, offset) && !known.has(offset));
  if (fresh.length === 0) return known;
  return new Map([...known, ...fresh.map((offset) => [offset, first + breaksBefore(rows, offset)] as const)]);
}

const isLoaded = ({ start, bytes }: FileRows, offset: number) =>
  offset >= start && offset <= start + bytes.length;

const breaksBefore = ({ bytes, start, starts }: FileRows, offset: number) =>
  countBreaks(bytes, starts[0] ?? 0, offset - start);
