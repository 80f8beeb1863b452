import { describe, directives, type JsonPath, quoted, suggestion } from "@lading/schema/internal";
import type { SeenKeys } from "@lading/schema/internal/seen-keys";
import { isBlank, omitted } from "../cells/cell.ts";
import type { Row } from "../row.ts";
import type { Column } from "./columns.ts";
import { compileObject, compileWhen, withEntry } from "./compile.ts";
import { type Build, type Compilation, type Scope, valueOrIssue } from "./scope.ts";

/** A compiled operation of the map. */
export interface OperationTemplate {
  /** Its index in the map. */
  readonly index: number;
  /** True for an operation that is written once for each distinct value of columns. */
  readonly isDistinct: boolean;
  readonly build: Build;
  /**
   * The scopes of the operations that it makes of a group.
   * @param seen the values of `$distinct` so far, to which new ones are added
   */
  scopesOf(group: Scope, seen: SeenKeys): Iterable<Scope>;
}

export function compileOperation(
  template: Readonly<Record<string, unknown>>,
  index: number,
  compilation: Compilation,
): OperationTemplate {
  const path = ["operations", index];
  const { [directives.distinct]: distinct, [directives.edited]: edited, ...rest } = template;
  const isEdited = compileEdited(edited, [...path, directives.edited], compilation);
  if (distinct === undefined) {
    const build = compileObject(rest, path, compilation, true);
    return { index, isDistinct: false, build, scopesOf: (group) => (isEdited(group.rows) ? [group] : []) };
  }
  const columns = columnsOf(distinct, [...path, directives.distinct], compilation);
  const list = columns.find(({ isList }) => isList);
  const inner = withEntry(compilation, undefined, list);
  const { [directives.when]: when, ...fields } = rest;
  const isMet = compileWhen(when, [...path, directives.when], inner) ?? (() => true);
  const rowsOf = (row: Row) => (list === undefined ? [row] : list.entriesOf(row));
  return {
    index,
    isDistinct: true,
    build: compileObject(fields, path, inner, true),
    *scopesOf(group, seen) {
      for (const row of group.rows) {
        if (!isEdited([row])) continue;
        const scope = { ...group, row };
        const entries = valueOrIssue(scope, "", () => rowsOf(row));
        for (const entry of Array.isArray(entries) ? entries : []) {
          const scope = { ...group, row: entry };
          if (isMet(scope) && isNew(columns, scope, seen)) yield scope;
        }
      }
    },
  };
}

/** Compiles `$edited` to a test of rows: one of these cells was edited in one of them. */
function compileEdited(
  edited: unknown,
  path: JsonPath,
  { map: { exported }, columns, problems }: Compilation,
): (rows: readonly Row[]) => boolean {
  if (edited === undefined) return () => true;
  const names = namesOf(edited);
  const refuse = (message: string) => {
    problems.push({ code: "InvalidValue", message: `"${directives.edited}" ${message}`, path });
    return () => false;
  };
  if (names === undefined) return refuse(expectedNames(edited));
  if (exported === undefined) return refuse('is for a map with "exported", which names the exported columns');
  const unknown = names.find((name) => !exported.of.includes(name));
  if (unknown !== undefined)
    return refuse(
      `has a column that was not exported, ${quoted(unknown)}; ${suggestion(unknown, exported.of)}`,
    );
  const slots = names.map((name) => columns.used.slotOf(name, path));
  return (rows) => rows.some(({ cells }) => slots.some((slot) => cells[slot] !== omitted));
}

/** The columns of a directive; undefined for what names none. */
function namesOf(written: unknown): string[] | undefined {
  const names: unknown[] = [written].flat();
  return names.length > 0 && names.every((name) => typeof name === "string") ? names : undefined;
}

const expectedNames = (written: unknown) =>
  `expects a column, or a list of columns, got ${describe(written)}`;

/** Adds the values of columns to those seen. A row in which one of them is empty has none. */
function isNew(columns: readonly Column[], scope: Scope, seen: SeenKeys): boolean {
  const key = valueOrIssue(scope, "", () => {
    const values = columns.map((column) => column.read(scope.row));
    return values.some((value) => value === omitted || isBlank(value)) ? omitted : JSON.stringify(values);
  });
  return typeof key === "string" && seen.add(key, scope.row.line) === undefined;
}

function columnsOf(distinct: unknown, path: JsonPath, { columns, problems }: Compilation): Column[] {
  const names = namesOf(distinct);
  const refuse = (message: string) => {
    problems.push({ code: "InvalidValue", message: `"${directives.distinct}" ${message}`, path });
    return [];
  };
  if (names === undefined) return refuse(expectedNames(distinct));
  const found = names.map((name) => columns.get(name, path));
  if (found.length > 1 && found.some(({ isList }) => isList))
    return refuse(
      'has a column of the type "list", which stands alone: there is an operation for each of its entries',
    );
  return found;
}
