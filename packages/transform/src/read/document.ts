import { describe, isObject, quoted } from "@lading/schema/internal";
import type { Encoding } from "../choices.ts";
import { DataError, type DataIssues } from "../issues.ts";
import { conversionLimits } from "../limits.ts";
import type { Row, UsedColumns } from "../row.ts";
import { joined, newLine, textOf } from "./bytes.ts";
import { utf8Of } from "./encoding.ts";
import { cellsOf, isKept, rowOf, SeenKeys } from "./ndjson.ts";

/**
 * Reads the rows of one JSON document: the objects of a list in it. The line of a row is its position, from 1.
 *
 * @param chunks UTF-8
 * @param path the names that lead to the list, with dots between them; default: the document is the list
 * @throws DataError for a document that is too large or no JSON, and where the path leads to no list
 */
export async function* readDocument(
  chunks: AsyncIterable<Uint8Array>,
  columns: UsedColumns,
  issues: DataIssues,
  path: string | undefined,
): AsyncGenerator<Row[]> {
  const text = await wholeText(chunks);
  const names = path?.split(".") ?? [];
  const list = listAt(parsed(text), names);
  checkLiterals(text, issues);
  issues.cellOf = (line) => `/${[...names, line - 1].join("/")}`;
  const seen = new SeenKeys(columns);
  for (const [index, value] of list.entries()) {
    const object = rowOf(value, index + 1, issues);
    if (object === undefined) continue;
    columns.addAll(Object.keys(object));
    seen.note(object);
    yield [{ line: index + 1, cells: cellsOf(object, columns) }];
  }
  if (list.length > 0) seen.warn(issues);
}

/**
 * The value of one JSON document.
 * @throws DataError when it is too large, or no JSON
 */
export async function documentOf(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): Promise<unknown> {
  return parsed(await wholeText(utf8Of(chunks, encoding)));
}

async function wholeText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    const { documentBytes } = conversionLimits;
    if (bytes > documentBytes) {
      const message = `the document is larger than ${documentBytes / 1024 ** 2} MiB, the limit; NDJSON has none`;
      throw new DataError("TooLarge", message, null);
    }
    parts.push(chunk);
  }
  return textOf(joined(parts));
}

function parsed(text: string): unknown {
  if (text.trim() === "") throw new DataError("EmptyFile", "the file is empty", 1);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DataError("InvalidJson", `the file is not one JSON document: ${error.message}`, null);
  }
}

const codes = { quote: 0x22, backslash: 0x5c, minus: 0x2d, zero: 0x30, nine: 0x39, u: 0x75 };

/** Finds what parsing lost, and texts that cannot be stored, without a second copy of the document in memory. */
function checkLiterals(json: string, issues: DataIssues): void {
  let line = 1;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    const start = at;
    if (code === newLine) line++;
    else if (code === codes.quote) {
      let isEscaped = false;
      for (at++; json.charCodeAt(at) !== codes.quote; at++)
        if (json.charCodeAt(at) === codes.backslash)
          isEscaped = json.charCodeAt(++at) === codes.u || isEscaped;
      if (isEscaped) isKept(json.slice(start, at + 1), line, issues);
    } else if (code === codes.minus || (code >= codes.zero && code <= codes.nine)) {
      while (numberCharacters.has(json.charCodeAt(at + 1))) at++;
      isKept(json.slice(start, at + 1), line, issues);
    }
  }
}

const numberCharacters = new Set(Array.from("0123456789.eE+-", (character) => character.charCodeAt(0)));

function listAt(document: unknown, names: readonly string[]): readonly unknown[] {
  let value = document;
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (Array.isArray(value)) return value;
  const where = names.length === 0 ? "the document" : `the path ${quoted(names.join("."))}`;
  const what = value === undefined ? "leads to nothing" : `is ${describe(value)}`;
  const lists = isObject(document)
    ? Object.keys(document).filter((name) => Array.isArray(document[name]))
    : [];
  const advice = lists.length === 0 ? "" : `; lists are at ${lists.slice(0, 10).map(quoted).join(", ")}`;
  throw new DataError("WrongType", `${where} ${what}, not a list of objects${advice}`, null);
}
