export const formats = ["csv", "ndjson", "json", "xlsx"] as const;

export type Format = (typeof formats)[number];

/** The format of a table, by the name of its file. */
export function formatOf(name: string): Format {
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name)) return "ndjson";
  if (/\.json(?:\.gz)?$/i.test(name)) return "json";
  return /\.xls[xm]?$/i.test(name) ? "xlsx" : "csv";
}

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
  /** The sheet of a workbook. Default: the only one with cells. */
  readonly sheet?: string | undefined;
  /** Where the list of rows is in a JSON document: names, with dots between them. Default: it is the document. */
  readonly path?: string | undefined;
}
