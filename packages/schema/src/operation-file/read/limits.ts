export const fileLimits = {
  /** Bytes of one operation, or of another member of the file: the amount held in memory. */
  valueBytes: 16 * 1024 * 1024,
  /**
   * Values within one operation, counted as its commas and opening brackets. Sixteen MiB can hold eight
   * million, and other tenants wait while they are processed.
   */
  values: 100_000,
  /** Nesting of objects and lists, the file's own included. */
  depth: 64,
  /** Issues in a report; any more are only counted. */
  issues: 1_000,
  /** Estimated bytes of the shapes and pieces that content is checked against; any more are treated as unknown. */
  contentModel: 8 * 1024 * 1024,
} as const;

/** The maximum depth of a value, by its role in the file. */
export const depthOf = {
  key: 0,
  member: fileLimits.depth - 1,
  operation: fileLimits.depth - 2,
} as const;
