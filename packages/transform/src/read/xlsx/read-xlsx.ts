import { DataError, type DataIssueCode, type DataIssues } from "../../issues.ts";
import type { Row, UsedColumns } from "../../row.ts";
import { joined } from "../bytes.ts";
import { indexesIn } from "../unknown-columns.ts";
import { decoded, TextCollector, Workbook, workbookLimits } from "./workbook.ts";
import { type Attributes, parsing } from "./xml.ts";

/**
 * Reads the rows of a sheet, whose first row with cells is the header. Empty rows are left out. The packed file and the
 * texts that cells share are in memory; rows are not.
 *
 * @param sheetName default: the only sheet with cells
 * @returns rows in batches, with the cells that the map reads
 * @throws DataError where it cannot be read on, UnknownColumns when the header lacks columns
 */
export async function* readXlsx(
  chunks: AsyncIterable<Uint8Array>,
  columns: UsedColumns,
  issues: DataIssues,
  sheetName?: string,
): AsyncGenerator<Row[]> {
  const workbook = new Workbook(await wholeOf(chunks));
  await workbook.open();
  const sheet = await workbook.sheet(sheetName);
  await workbook.readShared(sheet);
  const reader = new SheetReader(workbook, columns, issues);
  issues.cellOf = (line, column) =>
    column === null ? undefined : `${sheet.name}!${letters(reader.columnOf(column))}${line}`;
  for await (const _ of parsing(sheet.part, workbook.archive.chunksOf(sheet.part), reader))
    yield reader.take();
  reader.end();
  yield reader.take();
}

const [zipMark, oldMark] = ["PK\u0003\u0004", "\u00d0\u00cf\u0011\u00e0"];

/** @throws DataError for a file that is too large, or not a workbook */
async function wholeOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > workbookLimits.packed) {
      const message = `the workbook is larger than ${workbookLimits.packed / 1024 ** 2} MiB, the limit; save it as CSV`;
      throw new DataError("TooLarge", message, null);
    }
  }
  const bytes = joined(parts);
  const mark = String.fromCharCode(...bytes.subarray(0, 4));
  if (mark === zipMark) return bytes;
  throw new DataError("InvalidWorkbook", objectionTo(mark, bytes), null);
}

function objectionTo(mark: string, bytes: Uint8Array): string {
  if (mark !== oldMark)
    return "the file is not a workbook of XLSX; for CSV name it .csv, or take --format csv";
  // Both are files of an old form; the names of its streams are UTF-16.
  return new TextDecoder("utf-16le").decode(bytes.subarray(0, bytes.length & ~1)).includes("EncryptedPackage")
    ? "the workbook is protected by a password; save it without one"
    : "the file is a workbook of the old form .xls; save it as .xlsx";
}

const mostRows = 1_048_576;
const mostColumns = 16_384;

/** The parser's handlers for a sheet. */
class SheetReader {
  readonly #workbook: Workbook;
  readonly #columns: UsedColumns;
  readonly #issues: DataIssues;
  #header: string[] | undefined;
  #names: string[] = [];
  /** The slot of each column of the sheet that the map reads. */
  #slots: (number | undefined)[] = [];
  /** The cells of an empty row. */
  #noCells: readonly unknown[] = [];
  #rows: Row[] = [];

  #line = 0;
  #cells: unknown[] = [];
  #dates: Set<number> | undefined;
  #isFilled = false;

  #column = -1;
  #type = "n";
  #style = 0;
  #value = "";
  #isValue = false;
  #isFormula = false;
  readonly #inline = new TextCollector();

  constructor(workbook: Workbook, columns: UsedColumns, issues: DataIssues) {
    this.#workbook = workbook;
    this.#columns = columns;
    this.#issues = issues;
  }

  /** The index of a column of the sheet, by its name. */
  columnOf(name: string): number {
    return this.#header?.indexOf(name) ?? -1;
  }

  take(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** @throws DataError when there is not even a header */
  end(): void {
    if (this.#header === undefined)
      throw new DataError("EmptyFile", "the sheet is empty; it begins with a header", 1);
  }

  open(name: string, { r, t, s, ref }: Attributes): void {
    if (name === "c") {
      this.#column = r === undefined ? this.#column + 1 : columnIn(r);
      this.#type = t ?? "n";
      this.#style = Number(s ?? 0);
      this.#value = "";
      this.#isFormula = false;
      if (!(this.#column < mostColumns)) throw tooMany(this.#line);
    } else if (name === "v") this.#isValue = true;
    else if (name === "f") this.#isFormula = true;
    else if (name === "row") {
      this.#line = r === undefined ? this.#line + 1 : Number(r);
      this.#column = -1;
      this.#begin();
      if (!(this.#line <= mostRows)) throw tooMany(mostRows);
    } else if (name === "mergeCell") this.#checkMerged(ref ?? "");
    else this.#inline.open(name);
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text;
    else this.#inline.add(text);
  }

  close(name: string): void {
    if (name === "v") this.#isValue = false;
    else if (name === "c") this.#endCell();
    else if (name === "row") this.#endRow();
    else this.#inline.close(name);
  }

  #begin(): void {
    this.#cells = [...this.#noCells];
    this.#dates = undefined;
    this.#isFilled = false;
  }

  #endCell(): void {
    const inline = this.#inline.take();
    const written = this.#type === "inlineStr" ? inline : this.#value;
    if (written === "" && !this.#isFormula) return;
    if (this.#header === undefined) this.#names[this.#column] = String(this.#valueOf(written) ?? "");
    else if (this.#header[this.#column] !== undefined && this.#header[this.#column] !== "") {
      this.#isFilled = true;
      const slot = this.#slots[this.#column];
      if (slot === undefined) return;
      const value = this.#valueOf(written, slot);
      this.#cells[slot] = this.#columns.texts.has(slot) && value !== undefined ? String(value) : value;
    }
  }

  #endRow(): void {
    if (this.#header === undefined) {
      // A name of white space is none.
      const names = Array.from(this.#names, (name) => name ?? "");
      if (names.every((name) => name.trim() === "")) return;
      this.#header = names;
      const indexes = indexesIn(names, this.#columns, this.#line);
      for (const [slot, index] of indexes.entries()) if (index !== -1) this.#slots[index] = slot;
      this.#noCells = indexes.map((index) => (index === -1 ? undefined : ""));
    } else if (this.#isFilled)
      this.#rows.push({ line: this.#line, cells: this.#cells, ...(this.#dates && { dates: this.#dates }) });
  }

  /** The value of a cell; undefined, with an issue, for one that has none. */
  #valueOf(written: string, slot?: number): unknown {
    switch (this.#type) {
      case "s":
        return (
          this.#workbook.texts[Number(written)] ??
          this.#refuse("InvalidWorkbook", "has a text that the workbook lacks")
        );
      case "b":
        return written === "1";
      case "e":
        return this.#refuse("SpoiledCell", `has the error ${written}`);
      case "inlineStr":
        return written;
      case "str":
        return decoded(written);
      case "d":
        return this.#date(written, slot);
      default:
        return written === ""
          ? this.#refuse(
              "SpoiledCell",
              "has a formula without a value; open the workbook in a spreadsheet, and save it",
            )
          : this.#number(Number(written), slot);
    }
  }

  #number(number: number, slot: number | undefined): unknown {
    const format = this.#workbook.formats[this.#style];
    if (format === "date") {
      const date = dateOf(number, this.#workbook.isFrom1904);
      return date === undefined
        ? this.#refuse("InvalidDate", `${number} is not a date, or a time without one`)
        : this.#date(date, slot);
    }
    // Spreadsheets keep 15 digits; the last ones of a longer number are zeros already.
    if (!(Math.abs(number) < 1e15))
      return this.#refuse(
        "ChangedNumber",
        `${number} has more digits than a spreadsheet keeps; make it text`,
      );
    const kept = Number(number.toPrecision(15));
    return format !== undefined && Number.isInteger(kept) && kept >= 0
      ? String(kept).padStart(format.digits, "0")
      : kept;
  }

  #date(text: string, slot: number | undefined): string {
    if (slot !== undefined) {
      this.#dates ??= new Set();
      this.#dates.add(slot);
    }
    return text;
  }

  #refuse(code: DataIssueCode, message: string): undefined {
    this.#issues.error(code, message, this.#line, this.#header?.[this.#column] ?? null);
  }

  #checkMerged(range: string): void {
    const [from = "", to = from] = range.split(":");
    for (let column = columnIn(from); column <= Math.min(columnIn(to), this.#slots.length - 1); column++)
      if (this.#slots[column] !== undefined) {
        const message = `the cells ${range} are merged, and have one value; separate them`;
        this.#issues.error("MergedCells", message, Number(/\d+/.exec(from)?.[0]), this.#header![column]!);
        return;
      }
  }
}

const tooMany = (line: number) =>
  new DataError("TooLarge", `the sheet has more than ${mostRows} rows or ${mostColumns} columns`, line);

/** The index of the column of a cell such as `AB12`. */
function columnIn(cell: string): number {
  let column = 0;
  for (let at = 0; at < cell.length; at++) {
    const letter = cell.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** The letters of a column. */
function letters(index: number): string {
  let written = "";
  for (let left = index + 1; left > 0; left = Math.floor((left - 1) / 26))
    written = String.fromCharCode(65 + ((left - 1) % 26)) + written;
  return written;
}

const dayLength = 86_400_000;

/** The text of a date: `2026-01-31`, with the time where there is one. Undefined for days before 1900. */
function dateOf(days: number, isFrom1904: boolean): string | undefined {
  // 29 February 1900 is day 60, and was none.
  const since = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const date = new Date(since + Math.round(days * dayLength));
  if (!(days >= 1) || Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, -1);
}
