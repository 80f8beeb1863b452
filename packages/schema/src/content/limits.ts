/** Limits of content that hold for all shapes. The error for a broken limit names the limit. */
export const ceilings = {
  /** The items and SKUs of one itemRelations component. */
  itemRelations: 75,
  quickSelectFolders: 100,
  images: 512,
  files: 512,
  videos: 512,
  gridRelations: 512,
  colors: 100,
  decimalPlaces: 64,
  /** The most levels of chunks, choices and pieces inside each other. */
  nesting: 5,
  configuredMin: 256,
  configuredMax: 1_048_576,
  componentName: 256,
  componentDescription: 1_024,
  pattern: 256,
  /** The longest text that a pattern is run on, in UTF-16 units. */
  patternText: 10_000,
  /** The milliseconds that patterns may run for the content of one batch, because they block the thread. */
  patternTime: 500,
  /** The most errors that are listed for one payload. */
  errors: 1_000,
} as const;
