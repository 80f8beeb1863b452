/** A position in a file: lines count from 1, columns in UTF-16 units from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The positions of offsets (in UTF-16 units, ascending) within a text that itself begins at `start`. */
export function positionsOf(text: string, offsets: readonly number[], start: TextPosition): TextPosition[] {
  let [line, lineStart] = [start.line, 1 - start.column];
  let lineEnd = text.indexOf("\n");
  return offsets.map((offset) => {
    while (lineEnd !== -1 && lineEnd < offset) {
      [line, lineStart] = [line + 1, lineEnd + 1];
      lineEnd = text.indexOf("\n", lineStart);
    }
    return { line, column: offset - lineStart + 1 };
  });
}

/** The position of one offset: see {@link positionsOf}. */
export function positionOf(text: string, offset: number, start: TextPosition): TextPosition {
  return positionsOf(text, [offset], start)[0]!;
}
