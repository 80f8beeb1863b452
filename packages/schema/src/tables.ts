/** The keys of a table, in its order. It must have no keys but those of its type. */
export const keysOf = <Of extends object>(table: Of): (keyof Of & string)[] =>
  Object.keys(table) as (keyof Of & string)[];

/** Makes a table with a value for each key. */
export const byKey = <Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<Key, Value>;
