import { type CellSettings, isObject, quoted } from "@lading/schema/internal";
import { CellError } from "../issues.ts";
import { cellText } from "../row.ts";
import { type CellReader, isBlank } from "./cell.ts";

/** Makes the reader of a value within cells that are objects or lists, if the settings name one. */
export function within(settings: CellSettings, reader: CellReader): CellReader {
  const { path = [] } = settings;
  const texts = settings.type === "text" ? settings.texts : undefined;
  if (path.length === 0 && texts === undefined) return reader;
  const { split, written } = reader;
  const at = (cell: unknown) => {
    const value = valueAt(cell, path);
    return texts === undefined ? value : joinedTexts(value, texts);
  };
  return {
    read: (cell) => reader.read(at(cell)),
    written: (cell) => (written ?? cellText)(at(cell)),
    ...(split && { split: (cell) => split(at(cell)) }),
  };
}

/** The value that the keys lead to; undefined where there is none. */
function valueAt(cell: unknown, path: readonly (string | number)[]): unknown {
  let value = cell;
  for (const key of path) {
    if (isBlank(value)) return undefined;
    if (typeof value !== "object")
      throw new CellError(
        "WrongType",
        `is ${quoted(String(value))}, not an object with ${quoted(String(key))}`,
      );
    value = Object.hasOwn(value as object, key)
      ? (value as Record<string | number, unknown>)[key]
      : undefined;
  }
  return value;
}

/** The texts under a key at any depth. Objects that have it are parts of one line; other entries are lines. */
function joinedTexts(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    const isLine = value.some((entry) => isObject(entry) && typeof entry[key] === "string");
    return value.map((entry) => joinedTexts(entry, key)).join(isLine ? "" : "\n");
  }
  if (!isObject(value)) return value;
  if (typeof value[key] === "string") return value[key];
  return Object.values(value)
    .filter((member) => typeof member === "object" && member !== null)
    .map((member) => joinedTexts(member, key))
    .join("");
}
