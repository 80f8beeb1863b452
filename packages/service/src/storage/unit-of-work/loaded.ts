/** A value if it is in memory, otherwise a promise of it. */
export type Loaded<Value> = Value | Promise<Value>;

/** Maps a value; without a promise if the value is in memory. */
export const withLoaded = <Value, Made>(
  value: Loaded<Value>,
  make: (value: Value) => Loaded<Made>,
): Loaded<Made> => (value instanceof Promise ? value.then(make) : make(value));
