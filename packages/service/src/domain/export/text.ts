import { exportMark, guardedText } from "@lading/schema/internal";
import type { Cell } from "./cell.ts";

/** A column of the text: with its mark in `_exported`, or without. */
export interface WrittenColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => Cell;
  readonly isMarked: boolean;
}

export const updatedColumn = "_updatedAt";
export const marksColumn = "_exported";

export interface TextForm {
  readonly format: "csv" | "ndjson";
  /** The decimal mark of numbers; with a comma, semicolons separate cells. */
  readonly decimal: "." | ",";
  /** True for the mark at the beginning by which Excel knows UTF-8. */
  readonly bom: boolean;
}

/** The head of a table, and the writer of its rows. */
export interface TableText<Row> {
  readonly head: string;
  readonly line: (row: Row) => string;
}

export function tableText<Row>(columns: readonly WrittenColumn<Row>[], form: TextForm): TableText<Row> {
  return form.format === "ndjson" ? ndjsonText(columns) : csvText(columns, form);
}

const marksOf = <Row>(columns: readonly WrittenColumn<Row>[], cells: readonly Cell[]): string => {
  let marks = "";
  for (const [i, { isMarked }] of columns.entries()) if (isMarked) marks += exportMark(cells[i]);
  return marks;
};

function ndjsonText<Row>(columns: readonly WrittenColumn<Row>[]): TableText<Row> {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  return {
    head: "",
    line(row) {
      const cells = columns.map(({ value }) => value(row));
      const members = cells.map((cell, i) => names[i] + JSON.stringify(cell ?? null));
      return `{${members.join()},${JSON.stringify(marksColumn)}:"${marksOf(columns, cells)}"}\n`;
    },
  };
}

function csvText<Row>(columns: readonly WrittenColumn<Row>[], { decimal, bom }: TextForm): TableText<Row> {
  const delimiter = decimal === "," ? ";" : ",";
  const needsQuotes = decimal === "," ? /[";\r\n]/ : /[",\r\n]/;
  const quotedCell = (text: string) => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const written = (cell: Cell): string => {
    if (cell == null) return "";
    if (typeof cell === "number") return String(cell).replace(".", decimal);
    return quotedCell(typeof cell === "string" ? guardedText(cell) : JSON.stringify(cell));
  };
  const names = [...columns.map(({ name }) => name), marksColumn];
  return {
    head: `${bom ? "\ufeff" : ""}${names.map((name) => quotedCell(name)).join(delimiter)}\n`,
    line(row) {
      const cells = columns.map(({ value }) => value(row));
      return `${cells.map(written).join(delimiter)}${delimiter}${marksOf(columns, cells)}\n`;
    },
  };
}
