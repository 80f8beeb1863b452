/**
 * The extent of one template. The parser takes quadratic time in the code between braces and in its nesting: 40,000
 * nested small blocks took it minutes. These bounds keep every template below a second.
 */
export const templateLimits = {
  /** UTF-16 units of the whole text, as far as it holds any braces. */
  length: 262_144,
  /** UTF-16 units between braces, in total. */
  code: 10_000,
  /** Blocks within blocks. */
  blocks: 64,
  /** Sub-expressions within one pair of braces. */
  subexpressions: 64,
  /** Cost of parsing the different templates of one operation, see `parsingCost`: some half a second. */
  together: 250_000,
} as const;

export const renderLimits = {
  /** UTF-16 units that the templates of one operation may render to, in total. */
  output: 4_194_304,
  /** Steps that one evaluation of one template may take: some 50 milliseconds, during which nothing else runs. */
  steps: 200_000,
  /** Steps that the templates of one operation may take in total, including evaluations after late results. */
  allSteps: 5_000_000,
  /** Helpers that one template may call. */
  calls: 1_000,
  /** Milliseconds that the templates of one operation may be evaluated for; waiting for helpers does not count. */
  time: 2_000,
  /** Milliseconds that helpers may compute for, for one operation: waiting for the database does not count. */
  helperTime: 10_000,
} as const;
