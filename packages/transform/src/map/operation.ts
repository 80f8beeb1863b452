import { describe, directives, type JsonPath } from "@lading/schema";
import type { SeenKeys } from "@lading/schema/seen-keys";
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
  const { [directives.distinct]: distinct, ...rest } = template;
  if (distinct === undefined) {
    const build = compileObject(rest, path, compilation, true);
    return { index, isDistinct: false, build, scopesOf: (group) => [group] };
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

/** Adds the values of columns to those seen. A row in which one of them is empty has none. */
function isNew(columns: readonly Column[], scope: Scope, seen: SeenKeys): boolean {
  const key = valueOrIssue(scope, "", () => {
    const values = columns.map((column) => column.read(scope.row));
    return values.some((value) => value === omitted || isBlank(value)) ? omitted : JSON.stringify(values);
  });
  return typeof key === "string" && seen.add(key, scope.row.line) === undefined;
}

function columnsOf(distinct: unknown, path: JsonPath, { columns, problems }: Compilation): Column[] {
  const names = [distinct].flat();
  const refuse = (message: string) => {
    problems.push({ code: "InvalidValue", message: `"${directives.distinct}" ${message}`, path });
    return [];
  };
  if (names.length === 0 || names.some((name) => typeof name !== "string"))
    return refuse(`expects a column, or a list of columns, got ${describe(distinct)}`);
  const found = names.map((name) => columns.get(String(name), path));
  if (found.length > 1 && found.some(({ isList }) => isList))
    return refuse(
      'has a column of the type "list", which stands alone: there is an operation for each of its entries',
    );
  return found;
}
