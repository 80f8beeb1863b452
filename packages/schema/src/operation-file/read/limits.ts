/** What one file may hold. */
export const fileLimits = {
  /** Bytes of one operation, or of another member of the file: as much of it as is held in memory at once. */
  valueBytes: 16 * 1024 * 1024,
  /**
   * Values within one operation, counted as its commas and opening brackets. Sixteen MiB may be eight million of them, and
   * whatever is done with each, others wait for it.
   */
  values: 100_000,
  /** Objects and lists within each other, those of the file itself included. */
  depth: 64,
  /** Issues in a report; those beyond are counted. */
  issues: 1_000,
  /** Estimated bytes of the shapes and pieces of a file that its content is checked against; more are taken as not known. */
  contentModel: 8 * 1024 * 1024,
} as const;

/** How deep a value may be nested in itself, by where in the file it is. */
export const depthOf = {
  key: 0,
  member: fileLimits.depth - 1,
  operation: fileLimits.depth - 2,
} as const;
