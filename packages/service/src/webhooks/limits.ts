export const webhookLimits = {
  /** Longest URL, in UTF-16 units. */
  urlLength: 2_000,
  tries: 8,
  /** Milliseconds per try, to the end of the response. */
  time: 10_000,
  /** Bytes of a response that are read; its content is not used. */
  responseBytes: 16 * 1024,
  /** Concurrent tries per process. */
  concurrency: 16,
  /** The same per tenant. */
  ofTenant: 4,
  /** The same per host of a tenant. */
  ofHost: 2,
  /** Milliseconds that tries in progress have when the process stops; then their claims are released. */
  stopGrace: 2_000,
  keptDays: 30,
  /** Maximum hours for which the old secret signs along with a new one. */
  previousHours: 7 * 24,
} as const;

export type DeliveryLimits = {
  readonly [Name in "time" | "responseBytes" | "concurrency" | "ofTenant" | "ofHost" | "stopGrace"]: number;
};

/** Default hours for which the old secret signs along with a new one. */
export const usualPreviousHours = 24;

/** Milliseconds after the first failed try; each further pause is four times as long. */
const firstPause = 15_000;

/**
 * The pause after a failed try, in milliseconds: 15 s, 1 min, 4 min, 16 min, 64 min, 4 h 16 min, 17 h 4 min, each with
 * up to 5 % jitter. Null after the last try. The sum is less than 24 hours.
 */
export function pauseAfter(tried: number, random: () => number = Math.random): number | null {
  if (tried >= webhookLimits.tries) return null;
  return Math.round(firstPause * 4 ** (tried - 1) * (1 + random() * 0.05));
}
