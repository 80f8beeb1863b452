/** What one rendering may cost. How long and how deep a template may be is `templateLimits` of the schema package. */
export const renderLimits = {
  /** UTF-16 units that the templates of one operation may render to, all together. */
  output: 4_194_304,
  /** Statements and rounds of `#each` that one template may execute. */
  steps: 100_000,
  /** Helpers that one template may call. */
  calls: 1_000,
  /** Milliseconds that the templates of one operation may be evaluated for; waiting for helpers does not count. */
  time: 2_000,
} as const;
