/**
 * The size limits of a template. The parser takes quadratic time in the code between braces and in its nesting: 40,000
 * nested small blocks took minutes. With these limits, every template takes less than a second.
 */
export const templateLimits = {
  /** UTF-16 units of the whole text, if it contains braces. */
  length: 262_144,
  /** UTF-16 units between braces, in total. */
  code: 10_000,
  /** Nested blocks. */
  blocks: 64,
  /** Sub-expressions in one pair of braces. */
  subexpressions: 64,
  /** Cost of parsing an operation's different templates, see `parsingCost`: about half a second. */
  together: 250_000,
} as const;

export const renderLimits = {
  /** UTF-16 units rendered by an operation's templates in total. */
  output: 4_194_304,
  /** Steps per evaluation of one template: about 50 milliseconds, during which nothing else runs. */
  steps: 200_000,
  /** Steps of an operation's templates in total, including evaluations after late results. */
  allSteps: 5_000_000,
  /** Helper calls per template. */
  calls: 1_000,
  /** Milliseconds of evaluating an operation's templates; waiting for helpers does not count. */
  time: 2_000,
  /** Milliseconds of computing by helpers per operation; waiting for the database does not count. */
  helperTime: 10_000,
} as const;
