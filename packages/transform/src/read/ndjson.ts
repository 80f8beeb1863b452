import { didYouMean, fileLimits, isObject, quoted } from "@lading/schema/internal";
import { objectionsTo } from "../cells/json.ts";
import { DataError, type DataIssues } from "../issues.ts";
import { writtenCell } from "../map/cells.ts";
import type { Row, UsedColumns } from "../row.ts";
import { isDeeper } from "../size.ts";
import { joined, newLine, textOf } from "./bytes.ts";

/**
 * Reads the rows of NDJSON: a JSON object a line. Empty lines are left out.
 *
 * @param chunks UTF-8
 * @returns rows in batches, with the values that the map reads
 * @throws DataError for a line that is too long, and for a file without any rows
 */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
  columns: UsedColumns,
  issues: DataIssues,
): AsyncGenerator<Row[]> {
  const seen = new SeenKeys(columns);
  let line = 0;
  let isEmpty = true;
  for await (const lines of linesOf(chunks)) {
    const rows: Row[] = [];
    for (const text of lines) {
      line++;
      if (text.trim() === "") continue;
      isEmpty = false;
      const object = objectOf(text, line, issues);
      if (object === undefined) continue;
      columns.addAll(Object.keys(object));
      seen.note(object);
      rows.push({ line, cells: cellsOf(object, columns) });
    }
    yield rows;
  }
  if (isEmpty) throw new DataError("EmptyFile", "the file is empty", 1);
  seen.warn(issues);
}

/** Splits chunks into lines. Memory holds one line and one chunk. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let line = 1;
  for await (const chunk of chunks) {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newLine); end !== -1; end = chunk.indexOf(newLine, start)) {
      const part = chunk.subarray(start, end);
      lines.push(textOf(held.length === 0 ? part : joined([...held, part])));
      [held, heldBytes, start] = [[], 0, end + 1];
    }
    line += lines.length;
    if (start < chunk.length) held.push(chunk.subarray(start));
    heldBytes += chunk.length - start;
    yield lines;
    if (heldBytes > fileLimits.valueBytes)
      throw new DataError(
        "TooLarge",
        `the line is longer than ${fileLimits.valueBytes / 1024 ** 2} MiB, the limit`,
        line,
      );
  }
  if (held.length > 0) yield [textOf(joined(held))];
}

/** The object on a line; undefined, with an issue, for anything else. */
function objectOf(text: string, line: number, issues: DataIssues): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    issues.error("InvalidJson", `the line is not JSON: ${error.message}`, line);
    return undefined;
  }
  const object = rowOf(value, line, issues);
  return object !== undefined && isKept(text, line, issues) ? object : undefined;
}

/** The cells that the map reads. */
export const cellsOf = (object: Readonly<Record<string, unknown>>, columns: UsedColumns): unknown[] =>
  columns.choices.map((choice) => {
    const name = choice.find((name) => Object.hasOwn(object, name));
    return name === undefined ? undefined : object[name];
  });

/** The value as a row; undefined, with an issue, where it is not an object, or too deep. */
export function rowOf(value: unknown, line: number, issues: DataIssues): Record<string, unknown> | undefined {
  if (!isObject(value)) {
    const what = Array.isArray(value) ? "a list" : value === null ? "null" : `a ${typeof value}`;
    issues.error("WrongType", `expected an object, got ${what}`, line);
    return undefined;
  }
  if (isDeeper(value, fileLimits.depth)) {
    const message = `objects and lists may be nested ${fileLimits.depth} deep, and those of the row are deeper`;
    issues.error("NestedTooDeep", message, line);
    return undefined;
  }
  return value;
}

/** Tests that parsing the text lost nothing, and that its values can be stored. */
export function isKept(text: string, line: number | null, issues: DataIssues): boolean {
  const objections = objectionsTo(text);
  for (const { code, message, key } of objections) issues.error(code, message, line, key || null);
  return objections.length === 0;
}

/** Finds columns of the map that no object has. */
export class SeenKeys {
  readonly #names: readonly string[];
  #unseen: readonly (readonly string[])[];
  readonly #others = new Set<string>();
  readonly #exported: UsedColumns["exported"];

  constructor({ names, choices, optional, exported }: UsedColumns) {
    this.#names = names;
    this.#unseen = choices.filter((_, slot) => !optional.has(slot));
    this.#exported = exported;
  }

  note(object: Readonly<Record<string, unknown>>): void {
    if (this.#unseen.length === 0) return;
    this.#unseen = this.#unseen.filter((choice) => !choice.some((name) => Object.hasOwn(object, name)));
    for (const key in object) if (this.#others.size < 100) this.#others.add(key);
  }

  /** @throws DataError for columns of an export */
  warn(issues: DataIssues): void {
    this.#exported?.checkNames(
      (name) => this.#unseen.some(([unseen]) => unseen === name),
      [...this.#others].filter((name) => !this.#names.includes(name)),
    );
    for (const [name = ""] of this.#unseen) {
      if (this.#exported?.has(name)) continue;
      const [outer = "", ...keys] = name.split(".");
      const near =
        keys.length > 0 && this.#others.has(outer)
          ? `a value within ${quoted(outer)} is written ${writtenCell({ kind: "column", name: outer, keys })}`
          : didYouMean(name, [...this.#others]);
      const message = `no object has the key ${quoted(name)}${near === undefined ? "" : `; ${near}`}`;
      issues.warnOnce(name, "UnknownColumn", message, null, name);
    }
  }
}
