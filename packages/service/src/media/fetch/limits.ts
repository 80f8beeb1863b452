export const fetchLimits = {
  /** Bytes of an image, after decompression. */
  bytes: 25 * 1024 ** 2,
  /** Milliseconds per try, redirects included. */
  time: 30_000,
  /** Milliseconds without a byte. */
  idle: 10_000,
  redirects: 5,
  /** Tries, when the host or the network fails in a way that may pass. */
  tries: 3,
  /** Bytes of one image held in memory; a larger one goes through a temporary file. */
  memory: 512 * 1024,
} as const;

export type FetchLimits = { readonly [Name in keyof typeof fetchLimits]: number };
