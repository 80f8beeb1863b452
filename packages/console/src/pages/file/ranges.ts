/** A file is read in parts of so many bytes, each from a multiple of it on. */
export const partBytes = 128 * 1024;

/** The part with a byte. */
export const partOf = (offset: number) => Math.floor(offset / partBytes);

/**
 * The parts that are kept while the byte at `offset` is seen: its own, and one at either side of it. A screen has far
 * fewer bytes than a part, so that whatever is scrolled to is being loaded before it is seen.
 */
export function partsAround(offset: number, size: number): number[] {
  const last = partOf(Math.max(0, size - 1));
  const middle = Math.min(partOf(offset), last);
  return [middle - 1, middle, middle + 1].filter((part) => part >= 0 && part <= last);
}

/** The first byte of a part and the one after its last. */
export const bytesOfPart = (part: number, size = Number.POSITIVE_INFINITY) => ({
  start: part * partBytes,
  end: Math.min(size, (part + 1) * partBytes),
});

/** Bytes one after the other. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
