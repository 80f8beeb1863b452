import { fileLimits } from "@lading/schema";
import { CellError } from "../issues.ts";

/** The value of a cell whose field is left out. */
export const omitted = Symbol("omitted");

export const isBlank = (cell: unknown) => cell === undefined || cell === null || cell === "";

/** The value of an empty cell. */
export type Empty = "keep" | "omit" | "null" | "refuse";

export function valueOfEmpty(empty: Empty, kept: unknown = ""): unknown {
  if (empty === "keep") return kept;
  if (empty === "null") return null;
  if (empty === "omit") return omitted;
  throw new CellError("EmptyCell", "is empty");
}

export function textOf(cell: unknown): string {
  if (typeof cell === "string") return cell;
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  throw new CellError("WrongType", `is ${Array.isArray(cell) ? "a list" : "an object"}, not a text`);
}

/** Makes the replacement of texts within a cell, in one pass: what was put in is not replaced again. */
export function replacer(texts: Readonly<Record<string, string>> = {}): (cell: unknown) => unknown {
  const replacements = new Map(Object.entries(texts));
  if (replacements.size === 0) return (cell) => cell;
  const longestFirst = [...replacements.keys()].sort((one, other) => other.length - one.length);
  const literal = (text: string) =>
    Array.from(text, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`).join("");
  const pattern = new RegExp(longestFirst.map(literal).join("|"), "gu");
  return (cell) => {
    if (typeof cell !== "string") return cell;
    let { length } = cell;
    return cell.replace(pattern, (found) => {
      const text = replacements.get(found)!;
      length += text.length - found.length;
      if (length > fileLimits.valueBytes)
        throw new CellError(
          "TooLarge",
          "is longer than the limit of an operation when texts are replaced in it",
        );
      return text;
    });
  };
}

/** Reads cells as their settings say. Throws a CellError for one that does not fit them. */
export interface CellReader {
  read(cell: unknown): unknown;
  /** The text that conditions and groups compare: the cell as written, or the one that is looked up for it. */
  written?(cell: unknown): string;
  /** The entries of a list, as written, which `$each` repeats a part for. */
  split?(cell: unknown): readonly unknown[];
}
