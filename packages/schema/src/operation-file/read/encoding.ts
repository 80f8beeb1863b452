import { allocate, type Bytes, encoded, isUtf8 } from "#platform";

/** Bytes of one value that arrive in several chunks, in one growing buffer. */
export interface HeldBytes {
  append(bytes: Uint8Array): void;
  /** Returns the bytes appended so far; the next append starts over and may overwrite them. */
  take(): Bytes;
}

/** Holds bytes until they are taken. Keeps up to `kept` bytes of memory for reuse. */
export function holdBytes(kept = 1024 * 1024): HeldBytes {
  let block = allocate(4096);
  let length = 0;
  return {
    append: (bytes) => {
      if (length + bytes.length > block.length) {
        const larger = allocate(Math.max(length + bytes.length, 2 * block.length));
        larger.set(block.subarray(0, length));
        block = larger;
      }
      block.set(bytes, length);
      length += bytes.length;
    },
    take: () => {
      const held = block.subarray(0, length);
      if (block.length > kept) block = allocate(4096);
      length = 0;
      return held;
    },
  };
}

/** The index of the first byte that is not UTF-8, or -1. `text` is what the bytes decode to with replacements. */
export function invalidUtf8At(bytes: Uint8Array, text: string): number {
  // Almost every text holds no replacement character, and then nothing was replaced.
  if (!text.includes("\uFFFD") || isUtf8(bytes)) return -1;
  const again = encoded(text);
  let at = 0;
  while (bytes[at] === again[at]) at++;
  while ((again[at]! & 0xc0) === 0x80) at--;
  return at;
}
