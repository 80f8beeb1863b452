import { type CellSettings, quoted, suggestion } from "@lading/schema/internal";
import { CellError } from "../issues.ts";
import { cellText } from "../row.ts";
import { type CellReader, isBlank, omitted, replacer, textOf, valueOfEmpty } from "./cell.ts";
import { dateReader } from "./date.ts";
import { jsonReader } from "./json.ts";
import { listReader } from "./list.ts";
import { within } from "./nested.ts";
import { numberReader } from "./number.ts";

type Single = Exclude<CellSettings, { type: "list" | "json" }>;

/** Finds the cell of another table by a key; undefined where the table has no such row. */
export interface Lookup {
  find(key: string): { readonly cell: unknown } | undefined;
  /** The end of an error: a cell is not …. */
  readonly among: string;
}

/** The reader of a column's cells, then of the entries of their lists, then of theirs. */
export function cellReaders(
  settings: CellSettings | undefined,
  lookupOf: (settings: Single, depth: number) => Lookup | undefined,
  depth = 0,
): [CellReader, ...CellReader[]] {
  if (settings === undefined) return [plain];
  const at = (reader: CellReader) => within(settings, reader);
  if (settings.type === "json") return [at(jsonReader(settings))];
  if (settings.type !== "list") return [at(singleReader(settings, lookupOf(settings, depth)))];
  const inner = cellReaders(settings.entries ?? { type: "text" }, lookupOf, depth + 1);
  return [at(listReader(settings, inner[0])), ...inner];
}

/** Reads the cells of a column without settings as they are. */
const plain: CellReader = { read: (cell) => (cell === undefined || cell === "" ? omitted : cell) };

function singleReader(settings: Single, lookup: Lookup | undefined): CellReader {
  const { empty = "omit", missing = lookup === undefined ? "keep" : "refuse" } = settings;
  const values = new Map(Object.entries(settings.values ?? {}));
  const replaced = replacer(settings.replace);
  const isTrimmed = settings.type !== "text" || settings.trim === true;
  const trimmed = (cell: unknown) => (isTrimmed && typeof cell === "string" ? cell.trim() : cell);
  const typed = typedReader(settings);
  const isPlain = values.size === 0 && lookup === undefined;

  const refuse = (text: string) => {
    const among = lookup?.among ?? `one of the column's "values"; ${suggestion(text, [...values.keys()])}`;
    return new CellError("UnknownValue", `${quoted(text)} is not ${among}`);
  };
  /** The cell that is read as the type: the one that is looked up, or itself; undefined where it is missing. */
  const sourceOf = (cell: unknown, text: string): unknown => {
    const found = lookup?.find(text);
    if (found !== undefined) return trimmed(found.cell ?? "");
    if (missing === "refuse") throw refuse(text);
    return missing === "keep" ? cell : undefined;
  };
  const read = (written: unknown): unknown => {
    const cell = trimmed(replaced(written));
    if (isBlank(cell)) return valueOfEmpty(empty);
    if (isPlain) return typed(cell);
    const text = textOf(cell);
    const value = values.get(text);
    if (value !== undefined) return value;
    const source = sourceOf(cell, text);
    if (source === undefined) return missing === "null" ? null : omitted;
    return isBlank(source) ? valueOfEmpty(empty) : typed(source);
  };
  if (lookup === undefined) return { read };
  return {
    read,
    written(written) {
      const cell = trimmed(replaced(written));
      if (isBlank(cell)) return "";
      const text = textOf(cell);
      return values.has(text) ? text : cellText(sourceOf(cell, text));
    },
  };
}

function typedReader(settings: Single): (cell: unknown) => unknown {
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
  }
}

function booleanReader(settings: {
  true?: string[] | undefined;
  false?: string[] | undefined;
}): (cell: unknown) => boolean {
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
