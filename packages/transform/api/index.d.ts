import { LocatedProblem, Problem } from "@lading/schema";
declare const formats: readonly ["csv", "ndjson", "json", "xlsx"];
type Format = (typeof formats)[number];
declare const delimiters: {
  readonly ",": ",";
  readonly ";": ";";
  readonly tab: "\t";
  readonly "|": "|";
};
type DelimiterName = keyof typeof delimiters;
declare const encodings: readonly ["utf-8", "windows-1252", "latin1", "utf-16le", "utf-16be"];
type Encoding = (typeof encodings)[number];
interface TableOptions {
  readonly format: Format;
  readonly delimiter?: DelimiterName;
  readonly encoding: Encoding;
  readonly sheet?: string | undefined;
  readonly path?: string | undefined;
}
interface Row {
  readonly line: number;
  readonly cells: readonly unknown[];
}
declare class UsedColumns {
  #private;
  readonly table: string;
  readonly names: string[];
}
interface DataIssue {
  severity: "error" | "warning";
  code: DataIssueCode | (string & {});
  message: string;
  line: number | null;
  column: string | null;
  cell?: string;
  sheets?: readonly string[];
}
declare const meanings: {
  EmptyFile: string;
  InvalidEncoding: string;
  NulCharacter: string;
  UnclosedQuote: string;
  MisplacedQuote: string;
  TooLarge: string;
  RaggedRow: string;
  DuplicateColumn: string;
  InvalidJson: string;
  WrongType: string;
  NestedTooDeep: string;
  UnpairedSurrogate: string;
  ChangedNumber: string;
  InvalidNumber: string;
  InvalidBoolean: string;
  InvalidDate: string;
  EmptyCell: string;
  UnknownValue: string;
  DuplicateKey: string;
  SplitGroup: string;
  UnfilledTemplate: string;
  UnknownColumn: string;
  ReadOnlyCell: string;
  SpoiledCell: string;
  InvalidWorkbook: string;
  UnknownSheet: string;
  MergedCells: string;
  InvalidMarks: string;
  TooManyErrors: string;
};
type DataIssueCode = keyof typeof meanings;
export declare const dataIssueCodes: Readonly<Record<DataIssueCode, string>>;
export declare class DataError extends Error {
  readonly name = "DataError";
  readonly issue: DataIssue;
  constructor(code: DataIssueCode, message: string, line: number | null, column?: string | null);
}
export declare class InvalidData extends Error {
  readonly name = "InvalidData";
}
export declare class DataIssues {
  #private;
  errorCount: number;
  warningCount: number;
  static readonly limit = 1000;
  constructor(onIssue?: (issue: DataIssue) => void);
  get kept(): DataIssue[];
  error(code: DataIssue["code"], message: string, line: number | null, column?: string | null): void;
  warn(code: DataIssue["code"], message: string, line: number | null, column: string | null): void;
}
declare class LookupTable {
  #private;
  readonly columns: UsedColumns;
  readonly name: string;
  readonly keyName: string;
  read(batches: AsyncIterable<readonly Row[]>, issues: DataIssues): Promise<void>;
}
interface CompiledMap {
  readonly columns: UsedColumns;
  readonly tables: ReadonlyMap<string, LookupTable>;
}
interface MapOptions {
  readonly allCells?: boolean | undefined;
}
export declare function compileMap(text: string, options?: MapOptions): {
  map: CompiledMap;
  problems?: undefined;
} | {
  map?: undefined;
  problems: LocatedProblem[];
};
interface Counts {
  rows: number;
  leftOut: number;
  operations: number;
}
export declare function convert(batches: AsyncIterable<readonly Row[]>, map: CompiledMap, issues: DataIssues, counts: Counts, onGroup?: (rows: readonly Row[], operations: readonly string[]) => void): AsyncGenerator<string>;
export declare const conversionLimits: {
  readonly entries: 100000;
  readonly tableLength: number;
  readonly documentBytes: number;
};
export declare function documentOf(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): Promise<unknown>;
export declare function firstRows(chunks: AsyncIterable<Uint8Array>, options: TableOptions, most: number): Promise<{
  columns: readonly string[];
  rows: readonly Row[];
}>;
export declare function rowsOf(chunks: AsyncIterable<Uint8Array>, columns: UsedColumns, issues: DataIssues, options: TableOptions): AsyncGenerator<Row[]>;
export declare class UnknownColumns extends Error {
  readonly name = "UnknownColumns";
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]);
}
export type { CompiledMap, Counts, DataIssue, DataIssueCode, DelimiterName, Encoding, Format, LookupTable, Row, TableOptions, UsedColumns };
