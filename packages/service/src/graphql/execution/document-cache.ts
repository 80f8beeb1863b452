/** Longer sources are mutations with inlined data, which don't repeat. */
const longestSource = 10_000;

/** Total characters of source in the cache; a parsed document takes about 50 times its source. */
const capacity = 1_000_000;

/**
 * A cache of parsed documents, bounded by the size of their sources rather than their number, so that a tenant cannot
 * fill the memory with large documents. Evicts the oldest first.
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
