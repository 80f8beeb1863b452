import { Causes, JsonPath, LocatedProblem, Problem } from "@lading/schema/internal";
import { SeenKeys } from "@lading/schema/internal/seen-keys";
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
  readonly edits?: readonly unknown[];
  readonly dates?: ReadonlySet<number>;
}
interface WrongCell {
  readonly code: string;
  readonly message: string;
  readonly column: string | undefined;
}
interface ExportedTable {
  readonly marksName: string | undefined;
  has(name: string): boolean;
  checkNames(lacks: (name: string) => boolean, others: readonly string[], line?: number): void;
  withEdits(row: Row, isShown: boolean, onWrong: (cell: WrongCell) => void): Row;
}
declare class UsedColumns {
  #private;
  readonly table: string;
  readonly areAll: boolean;
  readonly names: string[];
  readonly choices: (readonly string[])[];
  readonly optional: Set<number>;
  readonly paths: (readonly (string | number)[])[];
  readonly texts: Set<number>;
  exported?: ExportedTable;
  constructor(table?: string, areAll?: boolean);
  addAll(names: readonly string[]): void;
  slotOf(from: string | readonly string[], path: readonly (string | number)[], within?: readonly (string | number)[]): number;
  chooseFrom(header: readonly string[]): void;
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
export declare const dataIssueCodes: {
  readonly EmptyFile: "The file has no header, or nothing at all.";
  readonly InvalidEncoding: "The file is not in the encoding that it is read in.";
  readonly NulCharacter: "The file contains U+0000.";
  readonly UnclosedQuote: "A quotation mark is opened and not closed.";
  readonly MisplacedQuote: "A quotation mark is inside a cell that does not begin with one, or text follows a closed one.";
  readonly TooLarge: "A row, a group of rows, the operation that it makes or a table for lookups is too large.";
  readonly RaggedRow: "A row has more or fewer cells than the header.";
  readonly DuplicateColumn: "The header has a name twice that the map reads.";
  readonly InvalidJson: "A line of NDJSON, a JSON document, or a cell of a JSON column, is not JSON.";
  readonly WrongType: "A row of JSON is not an object, a path leads to no list, or a cell has a value that its field does not take.";
  readonly NestedTooDeep: "Objects and lists are nested too deep, in a row of JSON or an operation.";
  readonly UnpairedSurrogate: "A cell contains half of a surrogate pair.";
  readonly ChangedNumber: "A number has more digits than are kept.";
  readonly InvalidNumber: "A cell of a number column is not a number.";
  readonly InvalidBoolean: "A cell of a boolean column is neither true nor false.";
  readonly InvalidDate: "A cell of a date column is not a date in the column's format.";
  readonly EmptyCell: "A cell is empty where the map refuses that.";
  readonly UnknownValue: "A cell is not among its column's values, or not a key of the table that it is looked up in.";
  readonly DuplicateKey: "A table in which cells are looked up has a key twice.";
  readonly SplitGroup: "Rows of one group are not next to each other.";
  readonly UnfilledTemplate: "A cell cannot be written as an argument of a template.";
  readonly UnknownColumn: "No row has a column that the map reads.";
  readonly ReadOnlyCell: "A cell was edited that no operation of the map reads.";
  readonly SpoiledCell: "A cell has what a spreadsheet showed in place of its value.";
  readonly InvalidWorkbook: "The file is not a workbook (XLSX), or is damaged.";
  readonly UnknownSheet: "The workbook has no sheet of this name, or several, and none is named.";
  readonly MergedCells: "Cells that the map reads are merged.";
  readonly InvalidMarks: "A row has marks of exported cells that are not those of the map's columns.";
  readonly TooManyErrors: "Reading stops after too many errors.";
};
type DataIssueCode = keyof typeof dataIssueCodes;
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
  readonly causes: Causes<"error" | "warning", DataIssue>;
  cellOf: ((line: number, column: string | null) => string | undefined) | undefined;
  errorCount: number;
  warningCount: number;
  static readonly limit = 1000;
  constructor(onIssue?: (issue: DataIssue) => void);
  get kept(): DataIssue[];
  error(code: DataIssue["code"], message: string, line: number | null, column?: string | null): void;
  warnOnce(key: string, ...warning: Parameters<DataIssues["warn"]>): void;
  warn(code: DataIssue["code"], message: string, line: number | null, column: string | null): void;
  end({ issue }: DataError): void;
}
declare class LookupTable {
  #private;
  readonly columns: UsedColumns;
  readonly name: string;
  readonly keyName: string;
  constructor(name: string, key: string);
  read(batches: AsyncIterable<readonly Row[]>, issues: DataIssues): Promise<void>;
  row(key: string): Row | undefined;
}
interface Scope {
  readonly row: Row;
  readonly first: Row;
  readonly rows: readonly Row[];
  fail(row: Row, column: string, code: string, message: string): void;
  readonly made: {
    entries: number;
    characters: number;
  };
  readonly trace?: Trace;
}
type Build = (scope: Scope) => unknown;
declare class Trace {
  #private;
  enter(key: string | number): void;
  leave(): void;
  note(row: Row, columns: readonly string[]): void;
  sourceOf(path: JsonPath): {
    line: number;
    column: string | null;
  } | undefined;
}
interface OperationTemplate {
  readonly index: number;
  readonly isDistinct: boolean;
  readonly build: Build;
  scopesOf(group: Scope, seen: SeenKeys): Iterable<Scope>;
}
interface CompiledMap {
  readonly columns: UsedColumns;
  readonly tables: ReadonlyMap<string, LookupTable>;
  readonly before: readonly object[];
  isWanted(row: Row): boolean;
  readonly groupOf: ((row: Row) => string) | undefined;
  readonly operations: readonly OperationTemplate[];
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
