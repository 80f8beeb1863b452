/** Limits of content that apply to all shapes. An error names the limit it is about. */
export const ceilings = {
  /** Items and SKUs of one itemRelations component. */
  itemRelations: 75,
  quickSelectFolders: 100,
  images: 512,
  files: 512,
  videos: 512,
  gridRelations: 512,
  colors: 100,
  decimalPlaces: 64,
  /** Maximum nesting of chunks, choices and pieces. */
  nesting: 5,
  configuredMin: 256,
  configuredMax: 1_048_576,
  componentName: 256,
  componentDescription: 1_024,
  pattern: 256,
  /** Longest text a pattern is run on, in UTF-16 units. */
  patternText: 10_000,
  /** Milliseconds of pattern matching per batch; it blocks the thread. */
  patternTime: 500,
  /** Maximum errors listed for one payload. */
  errors: 1_000,
} as const;
