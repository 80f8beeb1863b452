import {
  type ConversionMap,
  directives,
  fileLimits,
  type JsonPath,
  type Problem,
} from "@lading/schema/internal";
import { omitted } from "../cells/cell.ts";
import { CellError, DataError } from "../issues.ts";
import { conversionLimits } from "../limits.ts";
import type { Row } from "../row.ts";
import type { Columns } from "./columns.ts";

/** The rows that an operation is made of. */
export interface Scope {
  /** The row that cells are read from: the first of the group, or the one of a list's entry. */
  readonly row: Row;
  /** The first row of the group, which `[[$first][…]]` reads. */
  readonly first: Row;
  readonly rows: readonly Row[];
  /** Reports a cell that does not fit its field. */
  fail(row: Row, column: string, code: string, message: string): void;
  /** The entries of lists, and the UTF-16 units of texts with cells, made so far in this operation. */
  readonly made: { entries: number; characters: number };
  /** Records where each value comes from; undefined while nobody asks. */
  readonly trace?: Trace;
}

/** Counts an entry of a list, or of a section of a list. */
export function countEntry({ made, rows }: Scope): void {
  made.entries++;
  if (made.entries <= conversionLimits.entries) return;
  const message =
    `the operation of this row gets more than ${conversionLimits.entries} entries of lists, the limit; ` +
    `one "${directives.each}" or section within another multiplies their numbers`;
  throw new DataError("TooLarge", message, rows[0]!.line);
}

/** Counts characters of a text with cells, before it is concatenated. */
export function countCharacters({ made, rows }: Scope, characters: number): void {
  made.characters += characters;
  if (made.characters > fileLimits.valueBytes)
    throw new DataError("TooLarge", operationTooLong, rows[0]!.line);
}

export const operationTooLong = `the operation is longer than ${fileLimits.valueBytes / 1024 ** 2} MiB, the limit`;

/** Makes a value of cells. An error of a cell is reported, under this column unless it names one. */
export function valueOrIssue(scope: Scope, column: string, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    scope.fail(error.row ?? scope.row, error.column ?? column, error.code, error.message);
    return omitted;
  }
}

/** Makes a value of a scope; `omitted` where there is none. */
export type Build = (scope: Scope) => unknown;

/** Where values of an operation come from. */
export class Trace {
  readonly #path: (string | number)[] = [];
  readonly #sources: { path: JsonPath; row: Row; columns: readonly string[] }[] = [];

  enter(key: string | number): void {
    this.#path.push(key);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Records the source of the value at the current path. */
  note(row: Row, columns: readonly string[]): void {
    this.#sources.push({ path: [...this.#path], row, columns });
  }

  /** The line and the column that the value at a path comes from, or the value around it, as far as they are known. */
  sourceOf(path: JsonPath): { line: number; column: string | null } | undefined {
    const within = this.#sources.filter(
      (source) => startsWith(source.path, path) || startsWith(path, source.path),
    );
    const [source] = within;
    if (source === undefined) return undefined;
    const isOne = within.length === 1 && source.columns.length === 1;
    return { line: source.row.line, column: isOne ? source.columns[0]! : null };
  }
}

const startsWith = (path: JsonPath, prefix: JsonPath) =>
  prefix.length <= path.length && prefix.every((key, index) => path[index] === key);

/** Builds a member of an object or a list at its key. */
export function buildAt(key: string | number, build: Build, scope: Scope): unknown {
  if (scope.trace === undefined) return build(scope);
  scope.trace.enter(key);
  const value = build(scope);
  scope.trace.leave();
  return value;
}

/** The state of compiling a map. */
export interface Compilation {
  readonly map: ConversionMap;
  readonly columns: Columns;
  /** The number of lists, by slot, whose entry stands in place of the cell. */
  readonly depths: ReadonlyMap<number, number>;
  readonly problems: Problem[];
  /** True within `_results` and `_ifUnchangedSince`, whose texts no run renders. */
  readonly isLiteral?: boolean;
  /** References to operations in the templates that are left for the run. */
  readonly references: { readonly name: string; readonly keys: readonly string[]; readonly path: JsonPath }[];
}
