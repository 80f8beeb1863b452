import type { UnitOfWork } from "./unit-of-work.ts";

/** A value at once where it is in memory, otherwise a promise of it. */
export type Loaded<Value> = Value | Promise<Value>;

/** Makes something of a value; without a promise where the value is in memory. */
export const withLoaded = <Value, Made>(
  value: Loaded<Value>,
  make: (value: Value) => Loaded<Made>,
): Loaded<Made> => (value instanceof Promise ? value.then(make) : make(value));

/** Reads rows for a template helper. */
export type RowReader = Pick<UnitOfWork, "get" | "find" | "findUnder" | "needTurn">;

/** Reads the rows that are in memory, as if there were no others; it asks for no turn. */
export const rowsInMemory = (unit: UnitOfWork): RowReader => ({
  get: (collection, ...key) => unit.getWritten(collection, ...key),
  find: (collection, index, ...values) => unit.findWritten(collection, index, ...values),
  findUnder: (_, collection, index, ...values) => unit.findWritten(collection, index, ...values),
  needTurn: () => {},
});
