import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";

export type RowReader = Pick<UnitOfWork, "get" | "find" | "findUnder" | "requireLock">;

/** Reads rows in memory, as if there were no others; requires no lock. */
export const rowsInMemory = (unit: UnitOfWork): RowReader => ({
  get: (collection, ...key) => unit.getWritten(collection, ...key),
  find: (collection, index, ...values) => unit.findWritten(collection, index, ...values),
  findUnder: (_, collection, index, ...values) => unit.findWritten(collection, index, ...values),
  requireLock: () => {},
});
