/** What rendering may cost. How long and how deep a template may be is `templateLimits` of the schema package. */
export const renderLimits = {
  /** UTF-16 units that the templates of one operation may render to, all together. */
  output: 4_194_304,
  /** Steps that one evaluation of one template may take: some 50 milliseconds, in which nobody else has the thread. */
  steps: 200_000,
  /** Steps that the templates of one operation may take, all together, evaluations after late answers included. */
  allSteps: 5_000_000,
  /** Helpers that one template may call. */
  calls: 1_000,
  /** Milliseconds that the templates of one operation may be evaluated for; waiting for helpers does not count. */
  time: 2_000,
  /** Milliseconds that helpers may compute for, for one operation: waiting for the database does not count. */
  answers: 10_000,
} as const;
