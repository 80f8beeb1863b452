import {
  asSentence,
  didYouMean,
  hasTemplate,
  isObject,
  type JsonPath,
  literalTemplate,
  quoted,
  TemplateSyntaxError,
  usesOf,
} from "@lading/schema";
import { omitted } from "../cells/read-cell.ts";
import { CellError } from "../issues.ts";
import { ListEntry, type Row } from "../row.ts";
import {
  type CellPath,
  CellSyntaxError,
  hasCells,
  type Piece,
  parseCells,
  type Section,
  writtenCell,
} from "./cells.ts";
import { FilledTemplate, trims } from "./filled-template.ts";
import { type Build, type Compilation, countEntry, type Scope, valueOrIssue } from "./scope.ts";

/** Reports a problem of the text that is compiled. */
type Report = (code: string, message: string) => void;

/**
 * Compiles a text. Its cells are filled in; templates stay for the run. A text that is nothing but a cell is the
 * cell's value, of whatever type.
 *
 * @param isName true for `_ref`, which no run renders
 */
export function compileText(text: string, path: JsonPath, compilation: Compilation, isName = false): Build {
  const { problems, references } = compilation;
  const before = problems.length;
  const report = (code: string, message: string) => {
    problems.push({ code, message, path });
  };
  if (isName && hasTemplate(text))
    report("InvalidValue", "no run renders this text: it may have cells and constants, and no {{ }}");
  const columns: string[] = [];
  let build: Build = () => text;
  try {
    const pieces: readonly Piece<Cell>[] = hasCells(text)
      ? parseCells(text, (cell) => cellOf(cell, path, compilation, columns, report))
      : [{ type: "template", text }];
    const samples = samplesOf(pieces);
    if (!isName) checkTemplates(samples, report, (name, keys) => references.push({ name, keys, path }));
    if (hasCells(text))
      build = filling(
        pieces,
        columns,
        isName,
        samples.some((each) => trims.test(each)),
      );
  } catch (error) {
    if (!(error instanceof CellSyntaxError)) throw error;
    report("InvalidTemplate", error.message);
  }
  return problems.length > before ? () => omitted : build;
}

/** The templates that a run may get of a text, with any values of cells: without its sections, and of each alone. */
const samplesOf = (pieces: readonly Piece<Cell>[]): string[] => [
  pieces
    .map((piece) =>
      piece.type === "template" ? piece.text : piece.type === "cell" && piece.isArgument ? '""' : "",
    )
    .join(""),
  ...pieces.flatMap((piece) => (piece.type === "section" ? samplesOf(piece.body) : [])),
];

function checkTemplates(
  samples: readonly string[],
  report: Report,
  refer: (name: string, keys: readonly string[]) => void,
): void {
  for (const sample of samples.filter(hasTemplate))
    try {
      for (const { name, path: keys } of usesOf(sample).references)
        if (name !== "") refer(name, keys);
        else
          report(
            "InvalidTemplate",
            "within {{ }} a cell is an argument; for its value write it without braces",
          );
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      report("InvalidTemplate", `${error.message}${error.advice === undefined ? "" : `; ${error.advice}`}`);
    }
}

/** A cell of a text, or a constant. */
interface Cell {
  /** Undefined for a constant. */
  readonly column: string | undefined;
  read(row: Row): unknown;
  /** The row with an entry of the cell's list in place of the cell. */
  withEntry(row: Row, entry: unknown): Row;
}

/** Notes the column among those of the text. */
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

/** Fills in a text, reports the errors of its cells, and notes its source. */
function filling(
  pieces: readonly Piece<Cell>[],
  columns: readonly string[],
  isName: boolean,
  isTrimmed: boolean,
): Build {
  const [only, another] = pieces;
  const lone = only?.type === "cell" && another === undefined && !isName ? only.cell : undefined;
  const make = (scope: Scope) => {
    if (lone !== undefined) return literalValue(named(lone, () => lone.read(scope.row)));
    const filled = new FilledTemplate(scope, isTrimmed);
    fill(pieces, scope, filled);
    return filled.end(isName);
  };
  return (scope) => {
    if (columns.length > 0) scope.trace?.note(scope.row, columns);
    return valueOrIssue(scope, columns[0] ?? "", () => make(scope));
  };
}

function fill(pieces: readonly Piece<Cell>[], scope: Scope, filled: FilledTemplate): void {
  for (const piece of pieces)
    if (piece.type === "text") filled.addText(piece.text);
    else if (piece.type === "template") filled.addTemplate(piece.text);
    else if (piece.type === "section") fillSection(piece, scope, filled);
    else
      named(piece.cell, () => {
        const value = piece.cell.read(scope.row);
        if (piece.isArgument)
          filled.addArgument(textOf(value), typeof value === "number" || typeof value === "boolean");
        else filled.addCell(textOf(value));
      });
}

/** A section with a list is there once for each entry, which it reads as that cell; another one once or not. */
function fillSection({ cell, wanted, body }: Section<Cell>, scope: Scope, filled: FilledTemplate): void {
  const value = named(cell, () => cell.read(scope.row));
  if (!wanted || !Array.isArray(value)) {
    if (isEmpty(value) !== wanted) fill(body, scope, filled);
    return;
  }
  for (const entry of value) {
    countEntry(scope);
    fill(body, { ...scope, row: cell.withEntry(scope.row, entry) }, filled);
  }
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

const isEmpty = (value: unknown) =>
  [omitted, null, "", false].includes(value as null) || (Array.isArray(value) && value.length === 0);

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
