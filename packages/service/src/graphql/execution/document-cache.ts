/** Sources longer than this are mutations with their data written into them: they do not come twice. */
const longestSource = 10_000;

/** Characters of source that the cache holds in all; a parsed document takes some fifty times its source. */
const capacity = 1_000_000;

/**
 * A cache of what was parsed, bounded by the size of the sources and not by their number, so that a tenant cannot
 * fill the memory with large documents. What was put in first goes first.
 */
export function documentCache<Value>() {
  const values = new Map<string, Value>();
  let size = 0;
  return {
    get: (source: string) => values.get(source),
    set(source: string, value: Value) {
      if (source.length > longestSource || values.has(source)) return;
      values.set(source, value);
      size += source.length;
      for (const oldest of values.keys()) {
        if (size <= capacity) break;
        values.delete(oldest);
        size -= oldest.length;
      }
    },
  };
}
