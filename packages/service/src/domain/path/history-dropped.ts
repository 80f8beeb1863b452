/** Most paths that are named as dropped from full histories. */
const maxNamed = 100;

/** The fact of an output that full histories have lost paths, how many and the first of them; nothing where none has. */
export const historyDropped = (paths: readonly string[]): Record<string, unknown> =>
  paths.length === 0 ? {} : { historyDropped: { count: paths.length, paths: paths.slice(0, maxNamed) } };
