import { isUtf8 as nodeIsUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { setFlagsFromString } from "node:v8";

/**
 * Byte handling of this platform. `browser.ts` has the same exports for browsers: the condition `browser` of
 * `imports` in package.json selects it.
 */
export type Bytes = Buffer;

/** A chunk's bytes, in the same memory. */
export const bytesOf = (chunk: Uint8Array): Bytes =>
  Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

/** Uninitialized memory. */
export const allocate = (length: number): Bytes => Buffer.allocUnsafeSlow(length);

/** Decodes UTF-8. A byte order mark is a character; invalid bytes are replaced by U+FFFD. */
export const textOf = (bytes: Bytes): string => bytes.toString();

/** Encodes a text as UTF-8. Half of a surrogate pair becomes U+FFFD. */
export const encoded = (text: string): Bytes => Buffer.from(text);

export const byteLength = (text: string): number => Buffer.byteLength(text);

export const isUtf8 = (bytes: Uint8Array): boolean => nodeIsUtf8(bytes);

// V8 has a second engine for regular expressions that runs in linear time: the flag `l` tells whether it can
// run a pattern. The default engine is faster unless it backtracks much; then it falls back to the other.
setFlagsFromString("--enable-experimental-regexp-engine");
setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");

/**
 * True if regular expressions run in linear time. A shape's pattern is run on all content written, and its
 * author is not trusted: elsewhere none is run.
 */
export const linearPatterns: boolean = true;

/** SHA-256 of bytes that arrive in several chunks. */
export interface Sha256 {
  update(chunk: Uint8Array): void;
  /** The hash in hexadecimal; the last call. */
  hex(): string;
}

export function sha256(): Sha256 {
  const hash = createHash("sha256");
  return { update: (chunk) => void hash.update(chunk), hex: () => hash.digest("hex") };
}
