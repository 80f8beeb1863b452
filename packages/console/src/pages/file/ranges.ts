/** A file is read in parts of this many bytes, aligned to multiples of it. */
export const partBytes = 128 * 1024;

/** The part that contains a byte. */
export const partOf = (offset: number) => Math.floor(offset / partBytes);

/**
 * The parts kept while the byte at `offset` is visible: its own and its two neighbors. A screen has far fewer
 * bytes than a part, so rows are loading before they are scrolled to.
 */
export function partsAround(offset: number, size: number): number[] {
  const last = partOf(Math.max(0, size - 1));
  const middle = Math.min(partOf(offset), last);
  return [middle - 1, middle, middle + 1].filter((part) => part >= 0 && part <= last);
}

/** A part's first byte, and the byte after its last. */
export const bytesOfPart = (part: number, size = Number.POSITIVE_INFINITY) => ({
  start: part * partBytes,
  end: Math.min(size, (part + 1) * partBytes),
});

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
