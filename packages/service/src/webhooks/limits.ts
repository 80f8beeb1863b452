export const webhookLimits = {
  /** Longest address, in UTF-16 units. */
  urlLength: 2_000,
  tries: 8,
  /** Milliseconds that one try may take, to the end of the response. */
  time: 10_000,
  /** Bytes of a response that are read; its content is not used. */
  responseBytes: 16 * 1024,
  /** Tries that a process makes at the same time. */
  atOnce: 16,
  /** The same for one tenant. */
  ofTenant: 4,
  /** The same for one host of a tenant. */
  ofHost: 2,
  /** Milliseconds that tries under way have when the process stops; then they are given back. */
  stopGrace: 2_000,
  keptDays: 30,
  /** Most hours for which the secret before signs beside a new one. */
  previousHours: 7 * 24,
} as const;

export type DeliveryLimits = {
  readonly [Name in "time" | "responseBytes" | "atOnce" | "ofTenant" | "ofHost" | "stopGrace"]: number;
};

/** Hours for which the secret before signs beside a new one, unless the caller says otherwise. */
export const usualPreviousHours = 24;

/** Milliseconds after the first try that failed; each further pause is four times as long. */
const firstPause = 15_000;

/**
 * The pause after a try that failed, in milliseconds: 15 s, 1 min, 4 min, 16 min, 64 min, 4 h 16 min, 17 h 4 min, each
 * up to 5 % longer, so that what failed together is not tried together. Null after the last try. All of them are less
 * than 24 hours.
 */
export function pauseAfter(tried: number, random: () => number = Math.random): number | null {
  if (tried >= webhookLimits.tries) return null;
  return Math.round(firstPause * 4 ** (tried - 1) * (1 + random() * 0.05));
}
