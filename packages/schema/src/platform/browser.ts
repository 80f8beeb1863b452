import type { Sha256 } from "./node.ts";

export { sha256 } from "./sha256.ts";

/** The exports of `node.ts` for browsers; see there. */
export type Bytes = Uint8Array;
export type { Sha256 };

export const linearPatterns: boolean = false;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true });

export const bytesOf = (chunk: Uint8Array): Bytes => chunk;

export const allocate = (length: number): Bytes => new Uint8Array(length);

export const textOf = (bytes: Bytes): string => decoder.decode(bytes);

export const encoded = (text: string): Bytes => encoder.encode(text);

/** Counts UTF-16 units instead of encoding them: half of a pair has three bytes, as U+FFFD has. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // Two units, four bytes.
    if (text.codePointAt(at)! > 0xffff) at++;
  }
  return bytes;
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
