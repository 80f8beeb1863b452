import { didYouMean, exportMark, exportMarkLength, quoted } from "@lading/schema/internal";
import { isBlank, omitted } from "../cells/cell.ts";
import { CellError, DataError } from "../issues.ts";
import type { ExportedTable, Row, WrongCell } from "../row.ts";
import type { Column, Columns } from "./columns.ts";

/** An exported column whose cells may be edited. */
interface ExportedColumn {
  readonly name: string;
  readonly slot: number;
  /** The ways in which the map reads it. */
  readonly columns: readonly Column[];
  readonly isReadOnly: boolean;
}

/** The columns of an exported table, and what was edited in its rows. */
export class Exported implements ExportedTable {
  readonly #marks: { readonly name: string; readonly slot: number } | undefined;
  readonly #of: readonly ExportedColumn[];

  /**
   * Columns that operations of the map read are known by now.
   * @param allCells true where every filled cell counts as edited, and there need not be marks
   */
  constructor(
    columns: Columns,
    { column, of }: { column: string; of: readonly string[] },
    allCells: boolean,
  ) {
    const { used, ofOperations } = columns;
    const at = (name: string) => used.slotOf(name, ["exported"]);
    this.#marks = allCells ? undefined : { name: column, slot: at(column) };
    this.#of = of.map((name) => {
      const slot = at(name);
      return { name, slot, columns: columns.readingOf(slot), isReadOnly: !ofOperations.has(slot) };
    });
  }

  get marksName(): string | undefined {
    return this.#marks?.name;
  }

  has(name: string): boolean {
    return name === this.#marks?.name || this.#of.some((column) => column.name === name);
  }

  checkNames(lacks: (name: string) => boolean, others: readonly string[], line = 1): void {
    const refuse = (name: string, message: string) => new DataError("UnknownColumn", message, line, name);
    if (this.#marks !== undefined && lacks(this.#marks.name)) {
      const near = didYouMean(this.#marks.name, others) ?? "";
      const message = `the table has no column ${quoted(this.#marks.name)}, which says what was exported${near && `; ${near}`}`;
      throw refuse(
        this.#marks.name,
        `${message}; to write every filled cell, edited or not, choose all cells (--all-cells)`,
      );
    }
    const added = others.filter((name) => name !== "" && !name.startsWith("_"));
    const missing = this.#of.find(({ name }) => lacks(name));
    if (missing === undefined || added.length === 0) return;
    const near =
      didYouMean(missing.name, added) ?? `the table has ${added.slice(0, 5).map(quoted).join(", ")}`;
    throw refuse(
      missing.name,
      `the exported column is missing, and others were added: ${near}; give it its name, or delete the others`,
    );
  }

  withEdits(row: Row, isShown: boolean, onWrong: (cell: WrongCell) => void): Row {
    const marks = this.#marksOf(row);
    const edits = [...row.cells];
    for (const [index, column] of this.#of.entries()) {
      const cell = row.cells[column.slot];
      const mark = marks?.slice(index * exportMarkLength, (index + 1) * exportMarkLength);
      const isEdited =
        cell !== undefined && (mark === undefined ? !isBlank(cell) : isOther(row, column, mark));
      const objection = isEdited ? this.#objectionTo(row, column, isShown) : undefined;
      if (objection !== undefined) onWrong(objection);
      if (!isEdited || objection !== undefined) edits[column.slot] = omitted;
    }
    return { ...row, edits };
  }

  /** The marks of a row; undefined for one that was added, whose filled cells are edits. */
  #marksOf({ cells }: Row): string | undefined {
    const written = this.#marks && cells[this.#marks.slot];
    if (isBlank(written)) return undefined;
    if (typeof written === "string" && written.length === this.#of.length * exportMarkLength) return written;
    const message =
      "is not what the export of these columns wrote; take the map that was written with the table, " +
      "and leave this cell empty in rows that you add";
    throw named(new CellError("InvalidMarks", message), this.#marks!.name);
  }

  #objectionTo(
    { cells, dates }: Row,
    { name, slot, isReadOnly, columns }: ExportedColumn,
    isShown: boolean,
  ): CellError | undefined {
    const cell = cells[slot];
    if (isReadOnly && this.#marks !== undefined) {
      const message = `was edited to ${quoted(String(cell))}, and nothing writes this column: undo the edit`;
      return named(new CellError("ReadOnlyCell", message), name);
    }
    const isJson = columns.some(({ isJson }) => isJson);
    if (dates?.has(slot) === true && columns.every(({ isText }) => isText)) {
      const message = `is a date, ${quoted(String(cell))}, where the column has texts: write it in a cell of the format Text`;
      return named(new CellError("SpoiledCell", message), name);
    }
    if (!isShown || isJson || typeof cell !== "string" || !spoiled.test(cell)) return undefined;
    const message = cell.startsWith("#")
      ? `${quoted(cell)} is the error of a formula: write the value`
      : `${quoted(cell)} is what a spreadsheet shows of a long number: write all digits, in a cell of the format Text`;
    return named(new CellError("SpoiledCell", message), name);
  }
}

function named(error: CellError, column: string): CellError {
  error.column = column;
  return error;
}

/** True for a cell of another value than the mark's, as it is written and in every way that the map reads it. */
function isOther(row: Row, { slot, columns }: ExportedColumn, mark: string): boolean {
  if (exportMark(row.cells[slot]) === mark) return false;
  return !columns.some((column) => {
    try {
      const value = column.read(row);
      return exportMark(value === omitted ? "" : value) === mark;
    } catch (error) {
      // The operation that reads the cell reports it.
      if (error instanceof CellError) return false;
      throw error;
    }
  });
}

/** A number of more digits than a spreadsheet shows, or the error of a formula. */
const spoiled =
  /^(?:[+-]?\d(?:[.,]\d+)?E\+(?:1[1-9]|[2-9]\d|\d{3})|#(?:REF!|NAME\?|VALUE!|DIV\/0!|N\/A|NULL!|NUM!))$/;
