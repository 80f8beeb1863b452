import {
  asSentence,
  didYouMean,
  firstRow,
  hasTemplate,
  isObject,
  type JsonPath,
  literalTemplate,
  quoted,
  TemplateSyntaxError,
  templateLimits,
  usesOf,
} from "@lading/schema/internal";
import { omitted } from "../cells/cell.ts";
import { withoutAbsent } from "../cells/list.ts";
import { CellError } from "../issues.ts";
import type { Row } from "../row.ts";
import { type CellPath, CellSyntaxError, hasCells, type Token, tokensOf, writtenCell } from "./cells.ts";
import { FilledTemplate, trims } from "./filled-template.ts";
import {
  type Build,
  type Compilation,
  countCharacters,
  countEntry,
  type Scope,
  valueOrIssue,
} from "./scope.ts";

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
  const columns: { name: string; isFirst: boolean }[] = [];
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
  const names = [...new Set(columns.map(({ name }) => name))];
  const ofFirst = columns.every(({ isFirst }) => isFirst);
  return (scope) => {
    if (names.length > 0) scope.trace?.note(ofFirst ? scope.first : scope.row, names);
    return valueOrIssue(scope, names[0] ?? "", () => make(scope));
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
    return (scope) => {
      const value = cell.read(scope);
      if (typeof value === "string") countCharacters(scope, value.length);
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
  return (scope, filled) => {
    const value = cell.read(scope);
    cell.naming(scope, () => {
      if (token.type === "cell") filled.addCell(scope, textOf(value));
      else filled.addArgument(scope, textOf(value), typeof value === "number" || typeof value === "boolean");
    });
  };
}

/** A section with a list is there once for each entry, which it reads as that cell; another one once or not. */
function sectionOf(cell: Cell, wanted: boolean, body: Write): Write {
  return (scope, filled) => {
    const value = cell.read(scope);
    if (!wanted || !Array.isArray(value)) {
      if (isEmpty(value) !== wanted) body(scope, filled);
      return;
    }
    for (const inner of cell.entriesOf(scope, value)) {
      countEntry(scope);
      body(inner, filled);
    }
  };
}

/** A cell of a text, or a constant. */
interface Cell {
  read(scope: Scope): unknown;
  /** The scopes with each entry of the cell's list in place of the cell. */
  entriesOf(scope: Scope, list: readonly unknown[]): readonly Scope[];
  /** Adds the cell's column and row to an error. */
  naming<Value>(scope: Scope, make: () => Value): Value;
}

/** Adds the column to `used`, those of the text. */
function cellOf(
  { kind, name, keys }: CellPath,
  path: JsonPath,
  compilation: Compilation,
  used: { name: string; isFirst: boolean }[],
  report: Report,
): Cell {
  const isFirst = kind === "constant" && name === firstRow;
  if (kind === "constant" && !isFirst) return constantOf(name, keys, compilation.map.constants, report);
  const [columnName, ...inner] = isFirst ? keys : [name, ...keys];
  if (columnName === undefined) {
    report("InvalidTemplate", `[[$${firstRow}]] is the group's first row; write [[$${firstRow}][Column]]`);
    return { read: () => omitted, entriesOf: () => [], naming: (_, make) => make() };
  }
  const column = compilation.columns.get(columnName, path);
  used.push({ name: column.name, isFirst });
  const cell = isFirst ? firstRowCell : rowCell;
  const naming: Cell["naming"] = (scope, make) => {
    try {
      return make();
    } catch (error) {
      if (error instanceof CellError)
        [error.column, error.row] = [error.column ?? column.name, cell.row(scope)];
      throw error;
    }
  };
  return {
    naming,
    read: (scope) =>
      naming(scope, () => {
        const value = within(column.read(cell.row(scope)), inner);
        return column.isList && Array.isArray(value) ? withoutAbsent(value) : value;
      }),
    entriesOf(scope, list) {
      const row = cell.row(scope);
      if (!column.isList)
        return list.map((entry) =>
          cell.with(scope, column.withCell(row, replaced(row.cells[column.slot], inner, entry))),
        );
      return inner.length > 0 ? [scope] : column.entriesOf(row).map((row) => cell.with(scope, row));
    },
  };
}

/** Where a cell is read from, and how another row is put there. */
const rowCell = {
  row: ({ row }: Scope) => row,
  with: (scope: Scope, row: Row): Scope => ({ ...scope, row }),
};
const firstRowCell = {
  row: ({ first }: Scope) => first,
  with: (scope: Scope, first: Row): Scope => ({ ...scope, first }),
};

function constantOf(
  name: string,
  keys: readonly string[],
  constants: Readonly<Record<string, unknown>>,
  report: Report,
): Cell {
  if (!Object.hasOwn(constants, name)) {
    const advice =
      didYouMean(name, [...Object.keys(constants), firstRow]) ??
      `for a column of this name write ${writtenCell({ kind: "column", name: `$${name}`, keys })}`;
    report("UnknownConstant", `there is no constant ${quoted(name)}.${asSentence(advice)}`);
  }
  const value = within(constants[name], keys);
  return {
    read: () => value,
    entriesOf: (scope, list) => list.map(() => scope),
    naming: (_, make) => make(),
  };
}

function within(holder: unknown, keys: readonly string[]): unknown {
  let value = holder;
  for (const key of keys) {
    if (value === omitted || value === null) return omitted;
    if (value === undefined || (Array.isArray(value) && key === "length")) return omitted;
    value = typeof value === "object" && Object.hasOwn(value, key) ? Reflect.get(value, key) : omitted;
  }
  return value;
}

function replaced(holder: unknown, [key, ...keys]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  return isObject(holder) ? { ...holder, [key]: replaced(holder[key], keys, value) } : holder;
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
