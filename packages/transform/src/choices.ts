export const formats = ["csv", "ndjson"] as const;

export type Format = (typeof formats)[number];

/** The format of a table, by the name of its file. */
export const formatOf = (name: string): Format =>
  /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name) ? "ndjson" : "csv";

/** Delimiters by their names on the command line. */
export const delimiters = { ",": ",", ";": ";", tab: "\t", "|": "|" } as const;

export type DelimiterName = keyof typeof delimiters;

export const encodings = ["utf-8", "windows-1252", "latin1", "utf-16le", "utf-16be"] as const;

export type Encoding = (typeof encodings)[number];

export interface TableOptions {
  readonly format: Format;
  /** Default: detected from the header. */
  readonly delimiter?: DelimiterName;
  readonly encoding: Encoding;
}
