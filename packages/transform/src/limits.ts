/** Limits of what a map makes and reads. */
export const conversionLimits = {
  /** Entries of lists that `$each` and sections make in one operation: when nested, they multiply. */
  entries: 100_000,
  /** Size of a table for lookups, in UTF-16 units of the cells that the map reads; a row counts as 32 more. */
  tableLength: 64 * 1024 ** 2,
  /** Bytes of a JSON document, which is parsed whole. */
  documentBytes: 128 * 1024 ** 2,
} as const;
