import { isObject } from "@lading/schema/internal/is-object";
import { editorBytes } from "../open-file.ts";

/** The endings of tables, as a file input accepts them. */
export const tableEndings = ".csv,.tsv,.ndjson,.jsonl,.xlsx,.xlsm,.xls";

const tableName = new RegExp(
  `(?:${tableEndings.replaceAll(".", "\\.").replaceAll(",", "|")})(?:\\.gz)?$`,
  "i",
);

export type Recognized =
  | { kind: "table"; file: File }
  | { kind: "map"; name: string; text: string }
  | { kind: "operations"; file: File };

/** Recognizes a table by its name, and a map by its content or name. */
export async function recognize(file: File): Promise<Recognized> {
  if (tableName.test(file.name)) return { kind: "table", file };
  if (file.size > editorBytes || /\.gz$/i.test(file.name)) return { kind: "operations", file };
  const text = await file.text();
  return isMap(text, file.name) ? { kind: "map", name: file.name, text } : { kind: "operations", file };
}

/** Fields of maps that no file of operations has. */
const fieldsOfMaps = ["columns", "tables", "constants", "when", "groupBy", "before", "exported"];

function isMap(text: string, name: string): boolean {
  const value = parsed(text);
  if (isObject(value) && Object.hasOwn(value, "version")) return false;
  if (/\.map\.json$/i.test(name)) return true;
  if (!isObject(value) || !Array.isArray(value.operations)) return false;
  return fieldsOfMaps.some((field) => Object.hasOwn(value, field)) || text.includes("[[");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
