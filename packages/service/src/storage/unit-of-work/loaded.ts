/** A value at once where it is in memory, otherwise a promise of it. */
export type Loaded<Value> = Value | Promise<Value>;

/** Makes something of a value; without a promise where the value is in memory. */
export const withLoaded = <Value, Made>(
  value: Loaded<Value>,
  make: (value: Value) => Loaded<Made>,
): Loaded<Made> => (value instanceof Promise ? value.then(make) : make(value));
