/** Limits of a plan; docs/limits.md lists them. */
export const planLimits = {
  operations: 1_000_000,
  /** In milliseconds. */
  time: 30 * 60_000,
  /** Number of times that a plan is begun: its runner may have died of it, or was killed for another reason. */
  begins: 20,
} as const;

export type PlanLimits = { readonly [Name in keyof typeof planLimits]: number };
