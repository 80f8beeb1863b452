import { fileLimits } from "@lading/schema";
import { Parser } from "#csv-parse";
import { delimiters } from "../choices.ts";
import { DataError, type DataIssues } from "../issues.ts";
import type { Row, UsedColumns } from "../row.ts";
import { joined, newLine, textOf } from "./bytes.ts";
import { indexesIn } from "./unknown-columns.ts";

/**
 * Reads the rows of CSV (RFC 4180), whose first row is the header. Empty lines are left out.
 *
 * @param chunks UTF-8
 * @param delimiter between cells; default: recognized by the header
 * @returns rows in batches, with the cells that the map reads
 * @throws DataError where it cannot be read on, UnknownColumns when the header lacks columns
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  columns: UsedColumns,
  issues: DataIssues,
  delimiter?: string,
): AsyncGenerator<Row[]> {
  let reader: CsvReader | undefined;
  for await (const chunk of fromFirstLine(chunks)) {
    reader ??= new CsvReader(columns, issues, delimiter ?? detectDelimiter(textOf(chunk)));
    yield await reader.push(chunk);
  }
  const last = await reader?.end();
  if (last === undefined) throw new DataError("EmptyFile", "the file is empty; it begins with a header", 1);
  yield last;
}

/** Maximum bytes of a header searched for the delimiter. */
const longestHeader = 64 * 1024;

/** Passes chunks on, the first one with a whole line. */
async function* fromFirstLine(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    if (first === undefined) yield chunk;
    else {
      first = joined([first, chunk]);
      if (first.length < longestHeader && !first.includes(newLine)) continue;
      yield first;
      first = undefined;
    }
  }
  if (first !== undefined && first.length > 0) yield first;
}

class CsvReader {
  readonly #columns: UsedColumns;
  readonly #issues: DataIssues;
  readonly #parser: Parser;
  #header: readonly string[] | undefined;
  /** The index in a row of each column that the map reads. */
  #indexes: readonly number[] = [];
  #rows: Row[] = [];
  /** The line on which the next row begins, but for empty lines before it. */
  #line = 1;
  #emptyLines = 0;

  constructor(columns: UsedColumns, issues: DataIssues, delimiter: string) {
    this.#columns = columns;
    this.#issues = issues;
    this.#parser = new Parser({
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      max_record_size: fileLimits.valueBytes,
      relax_column_count: true,
      skip_empty_lines: true,
      // Called while bytes are written, so that no row passes through the parser's own stream.
      on_record: (cells: string[]) => {
        this.#record(cells);
        return null;
      },
    });
    // The callback of the write has the error, too.
    this.#parser.on("error", () => {});
  }

  /** Reads a chunk. Returns the rows that end in it. */
  async push(chunk: Uint8Array): Promise<Row[]> {
    // As text: the parser's build for browsers takes no bytes but those of its own class.
    await this.#done((callback) => this.#parser.write(textOf(chunk), callback));
    return this.#take();
  }

  /** Returns the last rows; undefined when there is not even a header. */
  async end(): Promise<Row[] | undefined> {
    // Ending the stream would wait until somebody reads from it.
    await this.#done((callback) => this.#parser._flush(callback));
    return this.#header === undefined ? undefined : this.#take();
  }

  #take(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #done(work: (callback: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      work((error) => (error ? reject(this.#explain(error)) : resolve()));
    });
  }

  #record(cells: readonly string[]): void {
    const line = this.#beginning();
    this.#emptyLines = this.#parser.info.empty_lines;
    this.#line = line + 1;
    for (const cell of cells) this.#line += breaksIn(cell);
    if (this.#header === undefined) this.#begin(cells);
    else if (cells.length !== this.#header.length) {
      const message = `the row has ${count(cells.length)}, and the header ${count(this.#header.length)}`;
      this.#issues.error("RaggedRow", message, line);
    } else this.#rows.push({ line, cells: this.#indexes.map((index) => cells[index]) });
  }

  /** The line on which the row that is read begins. */
  #beginning(): number {
    return this.#line + this.#parser.info.empty_lines - this.#emptyLines;
  }

  #begin(header: readonly string[]): void {
    this.#header = header;
    this.#indexes = indexesIn(header, this.#columns);
  }

  /** Translates the parser's errors. Errors of this file pass through it. */
  #explain(error: Error): Error {
    const { code, column: index } = error as Error & { code?: string; column?: unknown };
    const column = typeof index === "number" ? (this.#header?.[index] ?? null) : null;
    const line = this.#beginning();
    const refuse = (name: ConstructorParameters<typeof DataError>[0], message: string) =>
      new DataError(name, message, line, column);
    switch (code) {
      case "CSV_QUOTE_NOT_CLOSED":
        return refuse("UnclosedQuote", "a quotation mark is opened in this row and never closed");
      case "CSV_MAX_RECORD_SIZE":
        return refuse("TooLarge", tooLong);
      case "CSV_INVALID_CLOSING_QUOTE":
        return refuse(
          "MisplacedQuote",
          'text follows a closed quotation mark; one inside a cell is written as ""',
        );
      case "INVALID_OPENING_QUOTE":
        return refuse("MisplacedQuote", misplaced);
      default:
        return error;
    }
  }
}

const tooLong =
  `the row is longer than ${fileLimits.valueBytes / 1024 ** 2} MiB, the limit; ` +
  "perhaps a quotation mark is opened in it and not closed";
const misplaced = 'a quotation mark is inside a cell; quote the cell, and write "" for one';

const count = (cells: number) => `${cells} cell${cells === 1 ? "" : "s"}`;

function breaksIn(cell: string): number {
  let breaks = 0;
  for (let at = cell.indexOf("\n"); at !== -1; at = cell.indexOf("\n", at + 1)) breaks++;
  return breaks;
}

/** The detected delimiters; the first is the default for a file with only one column. */
const recognized = [delimiters[","], delimiters[";"], delimiters.tab];

/** Returns the delimiter that is most frequent in the first line, outside of quotation marks. */
function detectDelimiter(text: string): string {
  const [line = ""] = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const counts = recognized.map((delimiter) => line.split(delimiter).length);
  return recognized[counts.indexOf(Math.max(...counts))]!;
}
