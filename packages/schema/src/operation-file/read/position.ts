import { byteLength } from "#platform";

/** A position in a file: lines from 1, columns in UTF-16 units from 1. */
export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** The same, with the byte offset. */
export interface TextPosition extends LineAndColumn {
  readonly offset: number;
}

/** Where a part of a file begins: `start` is a byte offset. */
export interface TextStart extends LineAndColumn {
  readonly start: number;
}

/** The positions of offsets (in UTF-16 units, ascending) within a text that itself begins at `start`. */
export function positionsOf(text: string, offsets: readonly number[], start: TextStart): TextPosition[] {
  let [line, lineStart] = [start.line, 1 - start.column];
  let [read, bytes] = [0, start.start];
  let lineEnd = text.indexOf("\n");
  return offsets.map((offset) => {
    while (lineEnd !== -1 && lineEnd < offset) {
      [line, lineStart] = [line + 1, lineEnd + 1];
      lineEnd = text.indexOf("\n", lineStart);
    }
    const end = isLowSurrogate(text.charCodeAt(offset)) ? offset - 1 : offset;
    bytes += byteLength(text.slice(read, end));
    read = end;
    return { line, column: offset - lineStart + 1, offset: bytes };
  });
}

/** True for the second unit of a surrogate pair, which has no position of its own among the bytes. */
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The position of one offset: see {@link positionsOf}. */
export function positionOf(text: string, offset: number, start: TextStart): TextPosition {
  return positionsOf(text, [offset], start)[0]!;
}
