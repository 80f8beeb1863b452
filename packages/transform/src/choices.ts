/** The forms that a table may have. */
export const formats = ["csv", "ndjson"] as const;

export type Format = (typeof formats)[number];

/** The delimiters of cells by their names on the command line. */
export const delimiters = { ",": ",", ";": ";", tab: "\t", "|": "|" } as const;

export type DelimiterName = keyof typeof delimiters;

/** The encodings that a table may have. */
export const encodings = ["utf-8", "windows-1252", "latin1", "utf-16le", "utf-16be"] as const;

export type Encoding = (typeof encodings)[number];

/** The options of reading a table. */
export interface TableOptions {
  readonly format: Format;
  /** Default: recognized by the header. */
  readonly delimiter?: DelimiterName;
  readonly encoding: Encoding;
}
