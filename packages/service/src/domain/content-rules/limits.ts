/** How much content may be, whatever a shape says. Each is named by the error that it causes. */
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
  /** Chunks, choices and pieces inside each other. */
  nesting: 5,
  configuredMin: 256,
  configuredMax: 1_048_576,
  componentName: 256,
  componentDescription: 1_024,
  pattern: 256,
  /** UTF-16 units of a text that a pattern is run on. */
  patternText: 10_000,
  /** Milliseconds that the patterns of one batch's content are run for: nobody else has the thread meanwhile. */
  patternTime: 500,
  /** Errors that are listed of one payload. */
  errors: 1_000,
} as const;
