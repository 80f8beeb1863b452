import {
  asSentence,
  didYouMean,
  hasTemplate,
  isObject,
  type JsonPath,
  literalTemplate,
  quoted,
  TemplateSyntaxError,
  templateLimits,
  usesOf,
} from "@lading/schema";
import { omitted } from "../cells/read-cell.ts";
import { CellError } from "../issues.ts";
import { ListEntry, type Row } from "../row.ts";
import { type CellPath, CellSyntaxError, hasCells, type Token, tokensOf, writtenCell } from "./cells.ts";
import { FilledTemplate, trims } from "./filled-template.ts";
import { type Build, type Compilation, countEntry, type Scope, valueOrIssue } from "./scope.ts";

type Report = (code: string, message: string) => void;

/**
 * Compiles a text. Its cells are filled in; templates stay for the run. A text that is nothing but a cell is the
 * cell's value, of whatever type.
 *
 * @param isName true for `_ref`, which no run renders
 */
export function compileText(text: string, path: JsonPath, compilation: Compilation, isName = false): Build {
  const { isLiteral = isName } = compilation;
  const before = compilation.problems.length;
  const report = (code: string, message: string) => {
    compilation.problems.push({ code, message, path });
  };
  if (isLiteral && hasTemplate(text))
    report(
      "InvalidValue",
      "this text is not rendered by the run: it may have cells and constants, but no {{ }}",
    );
  const columns: string[] = [];
  const samples: string[] = [];
  let make: Build = () => text;
  try {
    if (hasCells(text))
      make = compileCells(text, { isName, isLiteral }, samples, (cell) =>
        cellOf(cell, path, compilation, columns, report),
      );
    else samples.push(text);
  } catch (error) {
    if (!(error instanceof CellSyntaxError)) throw error;
    report("InvalidTemplate", error.message);
  }
  if (!isLiteral) checkTemplates(samples, path, compilation, report);
  if (compilation.problems.length > before) return () => omitted;
  return (scope) => {
    if (columns.length > 0) scope.trace?.note(scope.row, columns);
    return valueOrIssue(scope, columns[0] ?? "", () => make(scope));
  };
}

function compileCells(
  text: string,
  { isName, isLiteral }: { isName: boolean; isLiteral: boolean },
  samples: string[],
  cellOf: (path: CellPath) => Cell,
): Build {
  const tokens = [...tokensOf(text)];
  const [only] = tokens;
  if (only?.type === "cell" && tokens.length === 1 && !isName) {
    const cell = cellOf(only.path);
    return ({ row }) => {
      const value = named(cell, () => cell.read(row));
      return isLiteral ? value : literalValue(value);
    };
  }
  const write = compileParts(tokens.values(), cellOf, samples);
  const isTrimmed = samples.some((sample) => trims.test(sample));
  return (scope) => {
    const filled = new FilledTemplate(isTrimmed);
    write(scope, filled);
    return filled.end(isLiteral);
  };
}

/** Checks that what is left for the run parses, and notes the operations that it refers to. */
function checkTemplates(
  samples: readonly string[],
  path: JsonPath,
  { references }: Compilation,
  report: Report,
): void {
  for (const sample of samples.filter(hasTemplate))
    try {
      for (const { name, path: keys } of usesOf(sample).references)
        if (name !== "") references.push({ name, keys, path });
        else
          report(
            "InvalidTemplate",
            "within {{ }} a cell is an argument; write it without braces for its value",
          );
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      report("InvalidTemplate", `${error.message}${error.advice === undefined ? "" : `; ${error.advice}`}`);
    }
}

/** Adds a part of a text, with the values of a row. */
type Write = (scope: Scope, filled: FilledTemplate) => void;

/**
 * Compiles the parts of a text or, of a section, up to its end. Adds to `samples` what a run may get of each, with any
 * values of cells and without the sections in it.
 */
function compileParts(
  tokens: Iterator<Token> & Iterable<Token>,
  cellOf: (path: CellPath) => Cell,
  samples: string[],
  sections: readonly SectionToken[] = [],
): Write {
  const writes: Write[] = [];
  const section = sections.at(-1);
  let [sample, isOpen] = ["", section !== undefined];
  for (const token of tokens) {
    if (token.type === "end") {
      if (section === undefined || writtenCell(section.path) !== writtenCell(token.path))
        throw new CellSyntaxError(
          `${signed(token)} ends a section, and ${section === undefined ? "none" : signed(section)} is open`,
        );
      isOpen = false;
      break;
    }
    if (token.type === "template") sample += token.text;
    if (token.type === "argument") sample += '""';
    if (token.type === "begin") {
      if (sections.length === templateLimits.blocks)
        throw new CellSyntaxError(`more than ${templateLimits.blocks} sections are nested, the limit`);
      const cell = cellOf(token.path);
      const body = compileParts(tokens, cellOf, samples, [...sections, token]);
      writes.push(sectionOf(cell, token.sign === "#", body));
    } else writes.push(writeOf(token, cellOf));
  }
  if (section !== undefined && isOpen) throw new CellSyntaxError(notEnded(section));
  samples.unshift(sample);
  return (scope, filled) => {
    for (const write of writes) write(scope, filled);
  };
}

type SectionToken = Extract<Token, { sign: string }>;

const signed = ({ sign, path }: Pick<SectionToken, "sign" | "path">) =>
  `[[${sign}${writtenCell(path).slice(2)}`;

function notEnded(section: SectionToken): string {
  const [begin, end] = [signed(section), signed({ ...section, sign: "/" })];
  return `${begin} begins a section, and it has no end, ${end}; for a column of this name write [[\\${begin.slice(2)}`;
}

function writeOf(token: Exclude<Token, SectionToken>, cellOf: (path: CellPath) => Cell): Write {
  if ("text" in token)
    return token.type === "text"
      ? (scope, filled) => filled.addText(scope, token.text)
      : (scope, filled) => filled.addTemplate(scope, token.text);
  const cell = cellOf(token.path);
  return (scope, filled) =>
    named(cell, () => {
      const value = cell.read(scope.row);
      if (token.type === "cell") filled.addCell(scope, textOf(value));
      else filled.addArgument(scope, textOf(value), typeof value === "number" || typeof value === "boolean");
    });
}

/** A section with a list is there once for each entry, which it reads as that cell; another one once or not. */
function sectionOf(cell: Cell, wanted: boolean, body: Write): Write {
  return (scope, filled) => {
    const value = named(cell, () => cell.read(scope.row));
    if (!wanted || !Array.isArray(value)) {
      if (isEmpty(value) !== wanted) body(scope, filled);
      return;
    }
    for (const entry of value) {
      countEntry(scope);
      body({ ...scope, row: cell.withEntry(scope.row, entry) }, filled);
    }
  };
}

/** A cell of a text, or a constant. */
interface Cell {
  /** Undefined for a constant. */
  readonly column: string | undefined;
  read(row: Row): unknown;
  /** The row with an entry of the cell's list in place of the cell. */
  withEntry(row: Row, entry: unknown): Row;
}

/** Adds the column to `columns`, those of the text. */
function cellOf(
  { kind, name, keys }: CellPath,
  path: JsonPath,
  { map, ...compilation }: Compilation,
  columns: string[],
  report: Report,
): Cell {
  if (kind === "constant") {
    if (!Object.hasOwn(map.constants, name)) {
      const advice =
        didYouMean(name, Object.keys(map.constants)) ??
        `for a column of this name write ${writtenCell({ kind: "column", name: `$${name}`, keys })}`;
      report("UnknownConstant", `there is no constant ${quoted(name)}.${asSentence(advice)}`);
    }
    const value = within(map.constants[name], keys);
    return { column: undefined, read: () => value, withEntry: (row) => row };
  }
  const slot = compilation.columns.slotOf(name, path);
  const readCell = compilation.readerOf(name);
  if (!columns.includes(name)) columns.push(name);
  const isList = map.columns[name]?.type === "list";
  return {
    column: name,
    read: ({ cells }) => within(readCell(cells[slot]), keys),
    withEntry(row, entry) {
      const value = isList && typeof entry === "string" ? new ListEntry(entry) : entry;
      return { ...row, cells: row.cells.with(slot, replaced(row.cells[slot], keys, value)) };
    },
  };
}

function within(holder: unknown, keys: readonly string[]): unknown {
  let value = holder;
  for (const key of keys) {
    if (value === omitted || value === null) return omitted;
    value = typeof value === "object" && Object.hasOwn(value, key) ? Reflect.get(value, key) : omitted;
  }
  return value;
}

function replaced(holder: unknown, [key, ...keys]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  return isObject(holder) ? { ...holder, [key]: replaced(holder[key], keys, value) } : holder;
}

/** Adds the name of the column to an error of a cell. */
function named<Value>({ column }: Cell, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof CellError) error.column = column;
    throw error;
  }
}

const emptyValues: readonly unknown[] = [omitted, null, "", false];
const isEmpty = (value: unknown) =>
  emptyValues.includes(value) || (Array.isArray(value) && value.length === 0);

/** A value that is not a template, nor are the texts in it. */
function literalValue(value: unknown): unknown {
  if (typeof value === "string") return literalTemplate(value);
  if (Array.isArray(value)) return value.map(literalValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, literalValue(member)]));
}

/** A value within a longer text: nothing for one that is absent. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === omitted || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new CellError("WrongType", "is an object or a list, which is not part of a text");
}
