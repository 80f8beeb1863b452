import { Causes } from "@lading/schema/internal";
import type { Row } from "./row.ts";

/** A problem in the data, and its position. */
export interface DataIssue {
  severity: "error" | "warning";
  code: DataIssueCode | (string & {});
  message: string;
  /** The line on which the row begins, from 1; null for what concerns the whole file. */
  line: number | null;
  /** The name of the column. */
  column: string | null;
  /** The cell of a workbook, such as `Sheet1!C5`, or the row of a JSON document, such as `/entries/4`. */
  cell?: string;
  /** The sheets of a workbook, one of which is to be chosen. */
  sheets?: readonly string[];
}

const meanings = {
  EmptyFile: "The file has no header, or nothing at all.",
  InvalidEncoding: "The file is not in the encoding that it is read in.",
  NulCharacter: "The file contains U+0000.",
  UnclosedQuote: "A quotation mark is opened and not closed.",
  MisplacedQuote:
    "A quotation mark is inside a cell that does not begin with one, or text follows a closed one.",
  TooLarge: "A row, a group of rows, the operation that it makes or a table for lookups is too large.",
  RaggedRow: "A row has more or fewer cells than the header.",
  DuplicateColumn: "The header has a name twice that the map reads.",
  InvalidJson: "A line of NDJSON, a JSON document, or a cell of a JSON column, is not JSON.",
  WrongType:
    "A row of JSON is not an object, a path leads to no list, or a cell has a value that its field does not take.",
  NestedTooDeep: "Objects and lists are nested too deep, in a row of JSON or an operation.",
  UnpairedSurrogate: "A cell contains half of a surrogate pair.",
  ChangedNumber: "A number has more digits than are kept.",
  InvalidNumber: "A cell of a number column is not a number.",
  InvalidBoolean: "A cell of a boolean column is neither true nor false.",
  InvalidDate: "A cell of a date column is not a date in the column's format.",
  EmptyCell: "A cell is empty where the map refuses that.",
  UnknownValue: "A cell is not among its column's values, or not a key of the table that it is looked up in.",
  DuplicateKey: "A table in which cells are looked up has a key twice.",
  SplitGroup: "Rows of one group are not next to each other.",
  UnfilledTemplate: "A cell cannot be written as an argument of a template.",
  UnknownColumn: "No row has a column that the map reads.",
  ReadOnlyCell: "A cell was edited that no operation of the map reads.",
  SpoiledCell: "A cell has what a spreadsheet showed in place of its value.",
  InvalidWorkbook: "The file is not a workbook (XLSX), or is damaged.",
  UnknownSheet: "The workbook has no sheet of this name, or several, and none is named.",
  MergedCells: "Cells that the map reads are merged.",
  InvalidMarks: "A row has marks of exported cells that are not those of the map's columns.",
  TooManyErrors: "Reading stops after too many errors.",
};

export type DataIssueCode = keyof typeof meanings;

/** The meanings of issue codes, except those of problems in payloads. */
export const dataIssueCodes: Readonly<Record<DataIssueCode, string>> = meanings;

/** An issue after which reading cannot continue. */
export class DataError extends Error {
  override readonly name = "DataError";
  readonly issue: DataIssue;

  constructor(code: DataIssueCode, message: string, line: number | null, column: string | null = null) {
    super(message);
    this.issue = { severity: "error", code, message, line, column };
  }
}

/** Thrown when the data has errors: the file would be incomplete. Its issues are reported elsewhere. */
export class InvalidData extends Error {
  override readonly name = "InvalidData";
}

/** Counts issues, also by cause, and keeps the first ones, errors before warnings. */
export class DataIssues {
  /** @internal */
  readonly causes = new Causes<DataIssue["severity"], DataIssue>("error", "warning");
  /** Names the cell of a workbook, or the row of a JSON document. @internal */
  cellOf: ((line: number, column: string | null) => string | undefined) | undefined;
  errorCount = 0;
  warningCount = 0;

  readonly #kept: Record<DataIssue["severity"], DataIssue[]> = { error: [], warning: [] };
  readonly #warned = new Set<string>();
  readonly #onIssue: ((issue: DataIssue) => void) | undefined;

  /** Maximum number of issues kept, and of errors before reading stops. */
  static readonly limit = 1_000;

  /** @param onIssue called for each issue as it is found */
  constructor(onIssue?: (issue: DataIssue) => void) {
    this.#onIssue = onIssue;
  }

  get kept(): DataIssue[] {
    return [...this.#kept.error, ...this.#kept.warning].slice(0, DataIssues.limit + 1);
  }

  /** @throws DataError when there are too many errors */
  error(code: DataIssue["code"], message: string, line: number | null, column: string | null = null): void {
    this.#add({ severity: "error", code, message, line, column });
    if (this.errorCount >= DataIssues.limit)
      throw new DataError("TooManyErrors", `reading stops after ${DataIssues.limit} errors`, line);
  }

  /** Adds a warning once that every row would have. @internal */
  warnOnce(key: string, ...warning: Parameters<DataIssues["warn"]>): void {
    if (this.#warned.size >= DataIssues.limit || this.#warned.has(key)) return;
    this.#warned.add(key);
    this.warn(...warning);
  }

  warn(code: DataIssue["code"], message: string, line: number | null, column: string | null): void {
    this.#add({ severity: "warning", code, message, line, column });
  }

  /** Adds the issue that ends the reading. @internal */
  end({ issue }: DataError): void {
    this.#add(issue);
  }

  #add(issue: DataIssue): void {
    const { severity, message, line, column } = issue;
    const cell = line === null ? undefined : this.cellOf?.(line, column);
    if (cell !== undefined) issue.cell = cell;
    if (severity === "error") this.errorCount++;
    else this.warningCount++;
    const kept = this.#kept[severity];
    if (kept.length <= DataIssues.limit) kept.push(issue);
    this.causes.count(severity, message, column ?? undefined)?.(issue);
    this.#onIssue?.(issue);
  }
}

/** A cell that does not fit its field. */
export class CellError extends Error {
  override readonly name = "CellError";
  readonly code: DataIssueCode;
  /** The name of the column, where it is not the only one of its field. */
  column: string | undefined;
  /** The cell's row, where it is not the one that its field is made of. */
  row: Row | undefined;

  constructor(code: DataIssueCode, message: string) {
    super(message);
    this.code = code;
  }
}
