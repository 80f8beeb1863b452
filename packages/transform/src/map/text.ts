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
import { CellError } from "../cells/cell-error.ts";
import { omitted } from "../cells/read-cell.ts";
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
import type { Compilation } from "./compilation.ts";
import { FilledTemplate, trims } from "./filled-template.ts";
import { type Build, countCharacters, countEntry, type Scope, valueOrIssue } from "./scope.ts";

/**
 * Compiles a text. Its cells are filled in; templates stay for the run. A text that is nothing but a cell is the
 * cell's value, of whatever type.
 *
 * @param isName true for `_ref`, which no run renders
 */
export function compileText(text: string, path: JsonPath, compilation: Compilation, isName = false): Build {
  const before = compilation.problems.length;
  const report = (code: string, message: string) => {
    compilation.problems.push({ code, message, path });
  };
  if (isName && hasTemplate(text))
    report(
      "InvalidValue",
      "this text is not rendered by the run: it may have cells and constants, but no {{ }}",
    );
  const pieces = piecesOf(text, report);
  const readers = new Readers(path, compilation, report);
  const build = compileTemplate(pieces, readers, isName);
  if (!isName) checkTemplates(pieces, path, compilation, report);
  if (compilation.problems.length > before) return () => omitted;
  return hasCells(text) ? leaf(readers.columns, build) : () => text;
}

function compileTemplate(pieces: readonly Piece[], readers: Readers, isName: boolean): Build {
  const [only, ...others] = pieces;
  if (only?.type === "cell" && others.length === 0 && !isName) {
    const reader = readers.of(only.path);
    return ({ row }) => literalValue(reader.read(row));
  }
  const write = compilePieces(pieces, readers);
  const isTrimmed = hasTrims(pieces);
  return (scope) => {
    const filled = new FilledTemplate(isTrimmed);
    write(scope, filled);
    return filled.end(isName);
  };
}

const hasTrims = (pieces: readonly Piece[]): boolean =>
  pieces.some(
    (piece) =>
      (piece.type === "template" && trims.test(piece.text)) ||
      (piece.type === "section" && hasTrims(piece.body)),
  );

/** Reports errors of a text's cells, and records its source. */
function leaf(columns: readonly string[], build: Build): Build {
  return (scope: Scope) => {
    if (columns.length > 0) scope.trace?.note(scope.row, columns);
    return valueOrIssue(scope, columns[0] ?? "", () => build(scope));
  };
}

type Report = (code: string, message: string) => void;

function piecesOf(text: string, report: Report): readonly Piece[] {
  if (!hasCells(text)) return [{ type: "template", text }];
  try {
    return parseCells(text);
  } catch (error) {
    if (!(error instanceof CellSyntaxError)) throw error;
    report("InvalidTemplate", error.message);
    return [];
  }
}

/**
 * Checks that what is left for the run parses, whichever sections are there, and notes the operations that it refers
 * to.
 */
function checkTemplates(
  pieces: readonly Piece[],
  path: JsonPath,
  compilation: Compilation,
  report: Report,
): void {
  const sample = pieces.map(sampleOf).join("");
  if (hasTemplate(sample))
    try {
      for (const { name, path: keys } of usesOf(sample).references)
        if (name !== "") compilation.references.push({ name, keys, path });
        else
          report(
            "InvalidTemplate",
            "within {{ }} a cell is an argument; write it without braces for its value",
          );
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      report("InvalidTemplate", `${error.message}${error.advice === undefined ? "" : `; ${error.advice}`}`);
    }
  for (const piece of pieces)
    if (piece.type === "section") checkTemplates(piece.body, path, compilation, report);
}

/** The text that the run gets of a piece, with any value of its cell. */
function sampleOf(piece: Piece): string {
  if (piece.type === "template") return piece.text;
  return piece.type === "cell" && piece.isArgument ? '""' : "";
}

/** A value that a cell reads of a row. */
interface Reader {
  /** Undefined for a constant. */
  readonly column: string | undefined;
  read(row: Row): unknown;
  /** The row with an entry of the cell's list in place of the cell. */
  withEntry(row: Row, entry: unknown): Row;
}

/** Makes the readers of a text's cells, and has the columns that they read. */
class Readers {
  readonly columns: string[] = [];
  readonly #path: JsonPath;
  readonly #compilation: Compilation;
  readonly #report: Report;

  constructor(path: JsonPath, compilation: Compilation, report: Report) {
    this.#path = path;
    this.#compilation = compilation;
    this.#report = report;
  }

  of({ kind, name, keys }: CellPath): Reader {
    if (kind === "constant") return this.#constant(name, keys);
    const slot = this.#compilation.columns.slotOf(name, this.#path);
    const readCell = this.#compilation.readerOf(name);
    if (!this.columns.includes(name)) this.columns.push(name);
    const isList = this.#compilation.map.columns[name]?.type === "list";
    const withEntry = (row: Row, entry: unknown): Row => {
      const value = isList && typeof entry === "string" ? new ListEntry(entry) : entry;
      return { ...row, cells: row.cells.with(slot, replaced(row.cells[slot], keys, value)) };
    };
    return { column: name, read: ({ cells }) => within(named(readCell, name, cells[slot]), keys), withEntry };
  }

  #constant(name: string, keys: readonly string[]): Reader {
    const { constants } = this.#compilation.map;
    if (!Object.hasOwn(constants, name)) {
      const advice =
        didYouMean(name, Object.keys(constants)) ??
        `for a column of this name write ${writtenCell({ kind: "column", name: `$${name}`, keys })}`;
      this.#report("UnknownConstant", `there is no constant ${quoted(name)}.${asSentence(advice)}`);
    }
    const value = within(constants[name], keys);
    return { column: undefined, read: () => value, withEntry: (row) => row };
  }
}

/** Reads a cell. An error has the name of the column. */
function named(read: (cell: unknown) => unknown, column: string, cell: unknown): unknown {
  try {
    return read(cell);
  } catch (error) {
    if (error instanceof CellError) error.column = column;
    throw error;
  }
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

/** Writes the pieces with the values of a row. */
type Write = (scope: Scope, filled: FilledTemplate) => void;

function compilePieces(pieces: readonly Piece[], readers: Readers): Write {
  const writes = pieces.map((piece) => compilePiece(piece, readers));
  return (scope, filled) => {
    for (const write of writes) write(scope, filled);
  };
}

function compilePiece(piece: Piece, readers: Readers): Write {
  if (piece.type === "text")
    return (scope, filled) => {
      countCharacters(scope, piece.text.length);
      filled.addText(piece.text);
    };
  if (piece.type === "template")
    return (scope, filled) => {
      countCharacters(scope, piece.text.length);
      filled.addTemplate(piece.text);
    };
  if (piece.type === "section") return compileSection(piece, readers);
  const reader = readers.of(piece.path);
  return (scope, filled) => {
    const text = textOf(reader, scope.row);
    countCharacters(scope, text.length);
    if (!piece.isArgument) return filled.addCell(text);
    const value = reader.read(scope.row);
    const isPlain = typeof value === "number" || typeof value === "boolean";
    filled.addArgument(isPlain ? value : text);
  };
}

/** A section with a list is there once for each entry, which it reads as that cell; another one once or not. */
function compileSection({ path, wanted, body }: Section, readers: Readers): Write {
  const reader = readers.of(path);
  const write = compilePieces(body, readers);
  return (scope, filled) => {
    const value = reader.read(scope.row);
    if (!wanted || !Array.isArray(value)) {
      if (isEmpty(value) !== wanted) write(scope, filled);
      return;
    }
    for (const entry of value) {
      countEntry(scope);
      write({ ...scope, row: reader.withEntry(scope.row, entry) }, filled);
    }
  };
}

const isEmpty = (value: unknown) =>
  value === omitted ||
  value === null ||
  value === "" ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** A value that is not a template, nor are the texts in it. */
function literalValue(value: unknown): unknown {
  if (typeof value === "string") return literalTemplate(value);
  if (Array.isArray(value)) return value.map(literalValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, literalValue(member)]));
}

/** A value within a longer text: nothing for one that is absent. */
function textOf(reader: Reader, row: Row): string {
  const value = reader.read(row);
  if (typeof value === "string") return value;
  if (value === omitted || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const error = new CellError("WrongType", "is an object or a list, which is not part of a text");
  error.column = reader.column;
  throw error;
}
