import type { Sha256 } from "./node.ts";

const blockBytes = 64;

/** The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0;
const primes = firstPrimes(64);
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initial = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++)
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
}

/** SHA-256 (FIPS 180-4) for browsers, whose own API is not incremental. */
export function sha256(): Sha256 {
  const state = initial.slice();
  const words = new Int32Array(64);
  const rest = new Uint8Array(blockBytes);
  let [held, length] = [0, 0];
  const update = (chunk: Uint8Array) => {
    length += chunk.length;
    let at = 0;
    if (held > 0) {
      at = Math.min(blockBytes - held, chunk.length);
      rest.set(chunk.subarray(0, at), held);
      held += at;
      if (held < blockBytes) return;
      compress(state, words, rest, 0);
    }
    for (; at + blockBytes <= chunk.length; at += blockBytes) compress(state, words, chunk, at);
    rest.set(chunk.subarray(at));
    held = chunk.length - at;
  };
  const hex = () => {
    update(paddingAfter(length));
    return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  };
  return { update, hex };
}

/** A one, zeros up to the end of a block, and the number of bits in its last eight bytes. */
function paddingAfter(length: number): Uint8Array {
  const padding = new Uint8Array(blockBytes - ((length + 8) % blockBytes) + 8);
  padding[0] = 0x80;
  new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(length) * 8n);
  return padding;
}

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function compress(state: Int32Array, words: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    const from = at + 4 * i;
    words[i] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const [w15, w2] = [words[i - 15]!, words[i - 2]!];
    const s0 = turned(w15, 7) ^ turned(w15, 18) ^ (w15 >>> 3);
    const s1 = turned(w2, 17) ^ turned(w2, 19) ^ (w2 >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const next = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = state[i]! + next[i]!;
}
