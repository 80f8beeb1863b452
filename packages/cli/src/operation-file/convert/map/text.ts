import {
  asSentence,
  didYouMean,
  hasTemplate,
  isObject,
  type JsonPath,
  literalTemplate,
  quoted,
  type ReferenceValue,
  type Resolution,
  resolveTemplate,
  TemplateSyntaxError,
  usesOf,
} from "@lading/schema";
import { CellError } from "../cells/cell-error.ts";
import { omitted, type ReadCell } from "../cells/read-cell.ts";
import type { Compilation } from "./compilation.ts";
import { type Build, type Scope, valueOrIssue } from "./scope.ts";

/** The names under which templates read the table and the map's constants. */
const names = { row: "row", constants: "constants" } as const;

/** A value of a row that a template reads: of a column, or of NDJSON a value within that. */
interface Reading {
  readonly column: string;
  readonly slot: number;
  readonly read: ReadCell;
  /** The keys that lead from the cell to the value. */
  readonly keys: readonly string[];
}

/**
 * Compiles a text with a template. What reads rows and constants is filled in; the rest stays a template of the
 * operation. A template that is nothing but a column is the cell's value, of whatever type.
 *
 * @param mode "all is text" for a text that no run renders, such as `_ref`
 */
export function compileText(
  text: string,
  path: JsonPath,
  compilation: Compilation,
  mode: "templates stay" | "all is text",
): Build {
  const before = compilation.problems.length;
  const readings = readingsOf(text, path, compilation);
  const { constants } = compilation.map;
  if (readings === undefined || compilation.problems.length > before) return () => omitted;
  const probe = probeOf(text, readings, constants);
  const columns = [...new Set(readings.map(({ column }) => column))];
  if (mode === "all is text") {
    if (probe !== undefined && !probe.text.includes("{{")) return leaf(columns, joined(probe, readings));
    const message = "no run renders this text: it may read columns and constants, and nothing else";
    compilation.problems.push({ code: "InvalidValue", message, path });
    return () => omitted;
  }
  if (readings.length === 0) return constantBuild(text, constants);
  const [only] = readings;
  if (probe !== undefined && only !== undefined && probe.text === token(0))
    return leaf(columns, wholeValue(only));
  const general = resolved(text, readings, constants);
  if (probe === undefined) return leaf(columns, general);
  if (probe.text.includes("{{")) return leaf(columns, spliced(probe, readings, general));
  const join = joined(probe, readings);
  return leaf(columns, (scope) => literalTemplate(join(scope)));
}

/** Reports the errors of a text's cells, and notes its source. */
function leaf(columns: readonly string[], build: Build): Build {
  return (scope) => {
    scope.trace?.note(scope.row, columns);
    return valueOrIssue(scope, columns[0] ?? "", () => build(scope));
  };
}

/** Finds what a template reads of rows; undefined, with problems, for one that cannot be read. */
function readingsOf(text: string, path: JsonPath, compilation: Compilation): Reading[] | undefined {
  const { problems, columns, map, readerOf } = compilation;
  const report = (code: string, message: string) => {
    problems.push({ code, message, path });
  };
  let uses: ReturnType<typeof usesOf>;
  try {
    uses = usesOf(text);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    report("InvalidTemplate", `${error.message}${error.advice === undefined ? "" : `; ${error.advice}`}`);
    return undefined;
  }
  const found = new Map<string, Reading>();
  for (const { name, path: keys } of uses.references) {
    const [first, ...rest] = keys;
    if (name === names.constants) checkConstant(first, map.constants, report);
    if (name !== names.row) continue;
    if (first === undefined)
      report("InvalidTemplate", "name a column of the row, such as {{ row.sku }} or {{ row.[Unit Price] }}");
    else {
      const slot = columns.slotOf(first, path);
      found.set(keys.join("\0"), { column: first, slot, read: readerOf(first), keys: rest });
    }
  }
  return [...found.values()];
}

function checkConstant(
  name: string | undefined,
  constants: Readonly<Record<string, unknown>>,
  report: (code: string, message: string) => void,
): void {
  if (name !== undefined && Object.hasOwn(constants, name)) return;
  const what = name === undefined ? "name one of the constants" : `there is no constant ${quoted(name)}.`;
  report("UnknownConstant", what + asSentence(name && didYouMean(name, Object.keys(constants))));
}

/** A template with a token in place of each reading, which shows how values fill it in. */
interface Probe {
  readonly text: string;
  /** The texts between the readings, one more than these. */
  readonly texts: readonly string[];
  /** The index of the reading after each text but the last. */
  readonly holes: readonly number[];
}

/** A text that no template has by chance: characters for private use. */
const token = (reading: number) => `\uE000${reading}\uE001`;
const tokenPattern = /\uE000(\d+)\uE001/;

/**
 * Fills a template with tokens, once; undefined where other values could fill it in another way: blocks choose by the
 * value, and comments and `~` change the white space around it.
 */
function probeOf(
  text: string,
  readings: readonly Reading[],
  constants: Readonly<Record<string, unknown>>,
): Probe | undefined {
  if (/[\uE000\uE001~]|\{\{\{?!/.test(text) || usesOf(text).blocks.length > 0) return undefined;
  const row: Record<string, unknown> = Object.create(null);
  for (const [index, { column, keys }] of readings.entries()) put(row, [column, ...keys], token(index));
  const filled = resolve(text, row, constants);
  if (filled === undefined || filled.includes("{{!")) return undefined;
  const parts = filled.split(tokenPattern);
  const holes = parts.flatMap((part, at) => (at % 2 === 1 ? [Number(part)] : []));
  const isWhole = readings.every((_, index) => holes.includes(index));
  return isWhole ? { text: filled, texts: parts.filter((_, at) => at % 2 === 0), holes } : undefined;
}

/** Puts a value at the end of keys, as far as nothing else is there. */
function put(holder: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) holder[key] = value;
  else {
    holder[key] ??= Object.create(null);
    const inner = holder[key];
    if (isObject(inner)) put(inner, rest, value);
  }
}

/** Fills a template in with a row; undefined where something that it reads of the row stays. */
function resolve(
  text: string,
  row: Readonly<Record<string, unknown>>,
  constants: Readonly<Record<string, unknown>>,
): string | undefined {
  const scope: Record<string, ReferenceValue> = {
    [names.row]: { index: 0, status: "success", output: row },
    [names.constants]: { index: 0, status: "success", output: constants },
  };
  const resolution: Resolution = {
    result: (name) => (Object.hasOwn(scope, name) ? scope[name] : undefined),
    steps: 0,
    output: 0,
  };
  const filled = resolveTemplate(text, resolution);
  const isFilled =
    !hasTemplate(filled) || !usesOf(filled).references.some(({ name }) => Object.hasOwn(scope, name));
  return isFilled ? filled : undefined;
}

/** A text that reads constants alone. One that is nothing but a constant is its value. */
function constantBuild(text: string, constants: Readonly<Record<string, unknown>>): Build {
  const [, name = ""] = /^\{\{ *constants\.([\w-]+) *\}\}$/.exec(text) ?? [];
  if (Object.hasOwn(constants, name)) {
    const value = literalValue(constants[name]);
    return () => value;
  }
  const isFilled = usesOf(text).references.some((use) => use.name === names.constants);
  const filled = isFilled ? (resolve(text, {}, constants) ?? text) : text;
  return () => filled;
}

/** The value of a column alone: text without any braces that a run would render. */
function wholeValue(reading: Reading): Build {
  return ({ row }) => {
    const value = readValue(reading, row.cells);
    if (typeof value === "string") return literalTemplate(value);
    return typeof value === "object" && value !== null ? literalValue(value) : value;
  };
}

/** A value of NDJSON whose texts are not templates. */
function literalValue(value: unknown): unknown {
  if (typeof value === "string") return literalTemplate(value);
  if (Array.isArray(value)) return value.map(literalValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, literalValue(member)]));
}

function readValue({ column, slot, read, keys }: Reading, cells: readonly unknown[]): unknown {
  let value: unknown;
  try {
    value = read(cells[slot]);
  } catch (error) {
    if (error instanceof CellError) error.column = column;
    throw error;
  }
  for (const key of keys) {
    if (value === omitted || value === null) return omitted;
    value = typeof value === "object" && Object.hasOwn(value, key) ? Reflect.get(value, key) : omitted;
  }
  return value;
}

/** A value within a longer text: nothing for one that is absent. */
function textOf(value: unknown, { column }: Reading): string {
  if (typeof value === "string") return value;
  if (value === omitted || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const error = new CellError("WrongType", "is an object or a list, which is not part of a text");
  error.column = column;
  throw error;
}

/** The text that a probe becomes with the values of a row, not yet a template. */
function joined({ texts, holes }: Probe, readings: readonly Reading[]): (scope: Scope) => string {
  return ({ row }) => {
    let text = texts[0]!;
    for (let at = 0; at < holes.length; at++) {
      const reading = readings[holes[at]!]!;
      text += textOf(readValue(reading, row.cells), reading) + texts[at + 1];
    }
    return text;
  };
}

/** Values with any of these may be written in another way, or change how their surroundings are read. */
const special = /[\\{}"']/;

/** The template that is left of a probe with helpers, with the values of a row. */
function spliced(probe: Probe, readings: readonly Reading[], general: Build): Build {
  const { texts, holes } = probe;
  return (scope) => {
    let text = texts[0]!;
    for (let at = 0; at < holes.length; at++) {
      const value = readValue(readings[holes[at]!]!, scope.row.cells);
      if (typeof value !== "string" || special.test(value)) return general(scope);
      text += value + texts[at + 1];
    }
    return text;
  };
}

const unfilled =
  "the template cannot be filled in with this row: an argument of a helper or a block can neither hold both kinds of " +
  "quotation marks nor end with a backslash";

/** Fills a template in by evaluating it. */
function resolved(
  text: string,
  readings: readonly Reading[],
  constants: Readonly<Record<string, unknown>>,
): Build {
  return ({ row: { cells } }) => {
    const row: Record<string, unknown> = Object.create(null);
    for (const reading of readings) {
      const value = readValue(reading, cells);
      put(row, [reading.column, ...reading.keys], value === omitted || value === null ? "" : value);
    }
    const filled = resolve(text, row, constants);
    if (filled !== undefined) return filled;
    throw new CellError("UnfilledTemplate", unfilled);
  };
}
