/** Limits of bulk tasks; docs/limits.md lists them. */
export const taskLimits = {
  /** Longest idempotency key, in UTF-16 units. */
  idempotencyKeyLength: 200,
} as const;
