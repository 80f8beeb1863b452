import type { ColumnSettings } from "@lading/schema";
import { quoted } from "@lading/schema";
import { CellError } from "./cell-error.ts";
import { dateReader } from "./date.ts";
import { listReader } from "./list.ts";
import { numberReader } from "./number.ts";

/** The value of a cell whose field is left out. */
export const omitted = Symbol("omitted");

/** Reads a cell as its column's type. Throws a CellError for one that is not of it. */
export type ReadCell = (cell: unknown) => unknown;

/** The reader of a column's cells. A column without settings is read as it is. */
export function cellReader(settings: ColumnSettings | undefined): ReadCell {
  if (settings === undefined) return (cell) => (cell === undefined ? omitted : cell);
  const { empty = settings.type === "text" ? "keep" : "omit" } = settings;
  const read = typedReader(settings);
  const valueOfEmpty = settings.type === "list" ? emptyList : emptyValue;
  const isTrimmed = settings.type !== "text" || settings.trim === true;
  return (cell) => {
    const text = typeof cell === "string" && isTrimmed ? cell.trim() : cell;
    if (text === undefined || text === null || text === "") return valueOfEmpty(empty);
    const value = read(text);
    return settings.type === "list" && Array.isArray(value) && value.length === 0
      ? valueOfEmpty(empty)
      : value;
  };
}

type Empty = "keep" | "omit" | "null" | "refuse";

const emptyList = (empty: Empty) => (empty === "keep" ? [] : emptyValue(empty));

function emptyValue(empty: Empty): unknown {
  if (empty === "keep") return "";
  if (empty === "null") return null;
  if (empty === "omit") return omitted;
  throw new CellError("EmptyCell", "is empty");
}

function typedReader(settings: ColumnSettings): (cell: unknown) => unknown {
  switch (settings.type) {
    case "text":
      return textOf;
    case "number":
      return numberReader(settings);
    case "boolean":
      return booleanReader(settings);
    case "date": {
      const read = dateReader(settings);
      return (cell) => read(textOf(cell));
    }
    case "list":
      return listReader(settings.separator, textOf);
  }
}

function textOf(cell: unknown): string {
  if (typeof cell === "string") return cell;
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  throw new CellError("WrongType", `is ${Array.isArray(cell) ? "a list" : "an object"}, not a text`);
}

function booleanReader(settings: { true?: string[] | undefined; false?: string[] | undefined }): ReadCell {
  const { true: yes = ["true", "yes", "1"], false: no = ["false", "no", "0"] } = settings;
  const values = new Map<string, boolean>();
  for (const text of yes) values.set(text.toLowerCase(), true);
  for (const text of no) values.set(text.toLowerCase(), false);
  return (cell) => {
    if (typeof cell === "boolean") return cell;
    const text = textOf(cell);
    const value = values.get(text) ?? values.get(text.toLowerCase());
    if (value !== undefined) return value;
    const known = [...yes, ...no].map(quoted).join(", ");
    throw new CellError(
      "InvalidBoolean",
      `${quoted(text)} is neither true nor false; the column takes ${known}`,
    );
  };
}
