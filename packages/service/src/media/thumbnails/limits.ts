/** Limits of thumbnails, of each process of the API. */
export const thumbnailLimits = {
  /** Thumbnails made at a time, each in a process of its own and for another tenant. */
  concurrency: 2,
  /** Requests of a tenant that wait for theirs; further ones get the image itself. */
  waiting: 50,
  /** Bytes of an image; a larger one has no thumbnail. */
  imageBytes: 32 * 1024 ** 2,
  /** Pixels of an image; a larger one has no thumbnail. */
  pixels: 50_000_000,
  /** Bytes of a thumbnail. */
  bytes: 2 * 1024 ** 2,
  /** Milliseconds to make one. */
  time: 10_000,
  /** Memory of a process that makes them, in bytes; enforced on Linux. */
  memory: 512 * 1024 ** 2,
  /** Milliseconds after which a process without work ends. */
  idle: 60_000,
  /** Images without a thumbnail that a process of the API remembers, so that they are not tried again. */
  remembered: 10_000,
} as const;
