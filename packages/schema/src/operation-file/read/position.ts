/** A place in a file: lines count from 1, columns in UTF-16 units from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The places of offsets (in UTF-16 units, ascending) within a text that itself begins at `start`. */
export function placesIn(text: string, offsets: readonly number[], start: Place): Place[] {
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

/** The place of one offset: see {@link placesIn}. */
export function placeIn(text: string, offset: number, start: Place): Place {
  return placesIn(text, [offset], start)[0]!;
}
