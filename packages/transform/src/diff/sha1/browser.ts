/** The exports of `node.ts` for browsers, whose own SHA-1 is asynchronous. */
export const sha1Key = (text: string): bigint => sha1(text).getBigUint64(0, true);

export const sha1Hex = (text: string): string => {
  const digest = sha1(text);
  return [0, 4, 8, 12, 16].map((at) => digest.getUint32(at).toString(16).padStart(8, "0")).join("");
};

const encoder = new TextEncoder();

function sha1(text: string): DataView {
  const bytes = encoder.encode(text);
  const padded = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) << 6));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const digest = new DataView(new ArrayBuffer(20));
  for (const [i, word] of [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0].entries())
    digest.setUint32(4 * i, word);
  for (let at = 0; at < padded.byteLength; at += 64) addBlock(digest, padded, at);
  return digest;
}

function addBlock(digest: DataView, text: DataView, at: number): void {
  const words = new Int32Array(80);
  let [a, b, c, d, e] = [0, 4, 8, 12, 16].map((at) => digest.getInt32(at)) as Five;
  for (let i = 0; i < 80; i++) {
    words[i] =
      i < 16
        ? text.getInt32(at + 4 * i)
        : rotated(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1);
    const next = (rotated(a, 5) + mixed(i, b, c, d) + e + words[i]!) | 0;
    [a, b, c, d, e] = [next, a, rotated(b, 30), c, d];
  }
  for (const [i, word] of [a, b, c, d, e].entries())
    digest.setInt32(4 * i, (digest.getInt32(4 * i) + word) | 0);
}

type Five = [a: number, b: number, c: number, d: number, e: number];

const rotated = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

function mixed(round: number, b: number, c: number, d: number): number {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}
