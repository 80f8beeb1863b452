import {
  type Conditions,
  conditionsOf,
  directives,
  hasTemplate,
  isObject,
  type JsonPath,
  type Problem,
} from "@lading/schema";
import { omitted } from "../cells/read-cell.ts";
import { cellText, ListEntry, type Row, type UsedColumns } from "../row.ts";
import { hasCells } from "./cells.ts";
import { type Build, buildAt, type Compilation, countEntry, type Scope, valueOrIssue } from "./scope.ts";
import { compileText } from "./text.ts";

/** Compiles the template of one operation to a function that makes it, `omitted` where its condition is not met. */
export function compileOperation(
  template: Readonly<Record<string, unknown>>,
  path: JsonPath,
  compilation: Compilation,
): Build {
  return compileObject(template, path, compilation, true);
}

function compileValue(template: unknown, path: JsonPath, compilation: Compilation): Build {
  if (typeof template === "string" && (hasCells(template) || hasTemplate(template)))
    return compileText(template, path, compilation);
  if (Array.isArray(template)) return compileList(template, path, compilation);
  if (isObject(template)) return compileObject(template, path, compilation, false);
  return () => template;
}

function compileObject(
  template: Readonly<Record<string, unknown>>,
  path: JsonPath,
  compilation: Compilation,
  isOperation: boolean,
): Build {
  const { [directives.when]: when, [directives.each]: _, ...fields } = template;
  const isMet = compileWhen(when, [...path, directives.when], compilation);
  const members = Object.entries(fields).map(([key, member]): [string, Build] => {
    const at = [...path, key];
    if (key === "__proto__" || key.startsWith("$")) compilation.problems.push(unknownDirective(key, at));
    const isName = isOperation && key === "_ref" && typeof member === "string";
    if (isName) return [key, compileText(member, at, compilation, true)];
    const isLiteral = isOperation && (key === "_results" || key === "_ifUnchangedSince");
    return [key, compileValue(member, at, isLiteral ? { ...compilation, isLiteral } : compilation)];
  });
  return (scope) => {
    if (isMet !== undefined && !isMet(scope.row)) return omitted;
    const object: Record<string, unknown> = {};
    for (const [key, build] of members) {
      const value = buildAt(key, build, scope);
      if (value !== omitted) object[key] = value;
    }
    return object;
  };
}

function compileWhen(
  when: unknown,
  path: JsonPath,
  { columns, problems }: Compilation,
): ((row: Row) => boolean) | undefined {
  if (when === undefined) return undefined;
  const before = problems.length;
  const conditions: Conditions = conditionsOf(when, path, problems);
  return problems.length > before ? undefined : compileConditions(conditions, path, columns);
}

const unknownDirective = (key: string, path: JsonPath): Problem => ({
  code: "UnknownField",
  message: `"${key}" means nothing here; there are "${directives.when}", and for entries of lists "${directives.each}"`,
  path,
});

function compileList(template: readonly unknown[], path: JsonPath, compilation: Compilation): Build {
  const entries = template.map((entry, index) => compileEntry(entry, [...path, index], compilation));
  return (scope) => {
    const list: unknown[] = [];
    for (const append of entries) append(scope, list);
    return list;
  };
}

/** Compiles an entry of a list: a value, or with `$each` one for each row of the group. */
function compileEntry(
  template: unknown,
  path: JsonPath,
  compilation: Compilation,
): (scope: Scope, list: unknown[]) => void {
  const build = compileValue(template, path, compilation);
  const append = (scope: Scope, list: unknown[]) => {
    const value = buildAt(list.length, build, scope);
    if (value !== omitted) list.push(value);
  };
  if (!isObject(template) || !(directives.each in template)) return append;
  const each = template[directives.each];
  if (each !== "row") return eachEntry(each, [...path, directives.each], compilation, append);
  return (scope, list) => {
    for (const row of scope.rows) {
      countEntry(scope);
      append({ ...scope, row }, list);
    }
  };
}

/** Appends an entry for each entry of a column's list, which a template reads as that column then. */
function eachEntry(
  column: unknown,
  path: JsonPath,
  { columns, map, readerOf, problems }: Compilation,
  append: (scope: Scope, list: unknown[]) => void,
): (scope: Scope, list: unknown[]) => void {
  if (typeof column !== "string" || map.columns[column]?.type !== "list") {
    const message = `"${directives.each}" is "row", an entry for each row of the group, or a column of the type "list"`;
    problems.push({ code: "InvalidValue", message, path });
    return () => {};
  }
  const slot = columns.slotOf(column, path);
  const read = readerOf(column);
  return (scope, list) => {
    const { row } = scope;
    const entries = valueOrIssue(scope, column, () => read(row.cells[slot]));
    if (!Array.isArray(entries)) return;
    for (const entry of entries) {
      countEntry(scope);
      append({ ...scope, row: { ...row, cells: row.cells.with(slot, new ListEntry(entry)) } }, list);
    }
  };
}

/** Compiles conditions to a test of rows: the cell of each column is compared as it is written. */
export function compileConditions(
  conditions: Conditions,
  path: JsonPath,
  columns: UsedColumns,
): (row: Row) => boolean {
  const tests = Object.entries(conditions).map(([name, condition]) => {
    const isNegated = typeof condition === "object" && !Array.isArray(condition);
    const texts = new Set([isNegated ? condition.not : condition].flat());
    return { slot: columns.slotOf(name, [...path, name]), texts, wanted: !isNegated };
  });
  return ({ cells }) => tests.every(({ slot, texts, wanted }) => texts.has(cellText(cells[slot])) === wanted);
}
