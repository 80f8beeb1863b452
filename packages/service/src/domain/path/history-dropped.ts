/** The most dropped paths that an output lists. */
const maxNamed = 100;

/** The property `historyDropped` of an output: the number of paths that full histories lost, and the first of them. */
export const historyDropped = (paths: readonly string[]): Record<string, unknown> =>
  paths.length === 0 ? {} : { historyDropped: { count: paths.length, paths: paths.slice(0, maxNamed) } };
