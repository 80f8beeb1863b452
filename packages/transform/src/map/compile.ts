import {
  type Conditions,
  conditionsOf,
  didYouMean,
  directives,
  hasTemplate,
  isObject,
  type JsonPath,
  type Problem,
  quoted,
} from "@lading/schema/internal";
import { omitted } from "../cells/cell.ts";
import { hasCells } from "./cells.ts";
import type { Column } from "./columns.ts";
import { compileConditions } from "./conditions.ts";
import { type Build, buildAt, type Compilation, countEntry, type Scope, valueOrIssue } from "./scope.ts";
import { compileText } from "./text.ts";

function compileValue(template: unknown, path: JsonPath, compilation: Compilation): Build {
  if (typeof template === "string" && (hasCells(template) || hasTemplate(template)))
    return compileText(template, path, compilation);
  if (Array.isArray(template)) return compileList(template, path, compilation);
  if (isObject(template)) return compileObject(template, path, compilation, false);
  return () => template;
}

/** Compiles an object to a function that makes it, `omitted` where its condition is not met. */
export function compileObject(
  template: Readonly<Record<string, unknown>>,
  path: JsonPath,
  compilation: Compilation,
  isOperation: boolean,
): Build {
  const { [directives.when]: when, [directives.each]: _, ...rest } = template;
  const isMet = compileWhen(when, [...path, directives.when], compilation);
  if (isOperation) {
    const build = compileFields(rest, path, compilation, true);
    return isMet === undefined ? build : (scope) => (isMet(scope) ? build(scope) : omitted);
  }
  const { [directives.else]: _else, ...fields } = rest;
  const build =
    directives.value in fields
      ? compileOwnValue(fields, path, compilation)
      : compileFields(fields, path, compilation, false);
  const otherwise = compileElse(template, path, compilation);
  return isMet === undefined ? build : (scope) => (isMet(scope) ? build(scope) : otherwise(scope));
}

/** Compiles the value of an object whose conditions are not met. */
function compileElse(
  template: Readonly<Record<string, unknown>>,
  path: JsonPath,
  compilation: Compilation,
): Build {
  if (!(directives.else in template)) return () => omitted;
  const at = [...path, directives.else];
  if (!(directives.when in template)) {
    const message = `"${directives.else}" needs "${directives.when}", the conditions that are not met`;
    compilation.problems.push({ code: "MissingField", message, path: at });
  }
  return compileValue(template[directives.else], at, compilation);
}

/** Compiles the value that stands in place of an object. */
function compileOwnValue(
  { [directives.value]: value, ...others }: Readonly<Record<string, unknown>>,
  path: JsonPath,
  compilation: Compilation,
): Build {
  for (const key of Object.keys(others)) {
    const message = `an object with "${directives.value}" is that value, and has no fields such as ${quoted(key)}`;
    compilation.problems.push({ code: "UnknownField", message, path: [...path, key] });
  }
  return compileValue(value, [...path, directives.value], compilation);
}

function compileFields(
  fields: Readonly<Record<string, unknown>>,
  path: JsonPath,
  compilation: Compilation,
  isOperation: boolean,
): Build {
  const members = Object.entries(fields).map(([key, member]): [string, Build] => {
    const at = [...path, key];
    if (key === "__proto__" || key.startsWith("$"))
      compilation.problems.push(unknownDirective(key, at, isOperation));
    const isName = isOperation && key === "_ref" && typeof member === "string";
    if (isName) return [key, compileText(member, at, compilation, true)];
    const isLiteral = isOperation && (key === "_results" || key === "_ifUnchangedSince");
    return [key, compileValue(member, at, isLiteral ? { ...compilation, isLiteral } : compilation)];
  });
  return (scope) => {
    const object: Record<string, unknown> = {};
    for (const [key, build] of members) {
      const value = buildAt(key, build, scope);
      if (value !== omitted) object[key] = value;
    }
    return object;
  };
}

/** Compiles `$when` to a test, in which a cell that cannot be compared is reported. */
export function compileWhen(
  when: unknown,
  path: JsonPath,
  compilation: Compilation,
): ((scope: Scope) => boolean) | undefined {
  if (when === undefined) return undefined;
  const before = compilation.problems.length;
  const conditions: Conditions = conditionsOf(when, path, compilation.problems);
  if (compilation.problems.length > before) return undefined;
  const isMet = compileConditions(conditions, path, compilation);
  return (scope) => valueOrIssue(scope, "", () => isMet(scope.row)) === true;
}

function unknownDirective(key: string, path: JsonPath, isOperation: boolean): Problem {
  const { when, each, value, distinct, edited } = directives;
  const known = isOperation ? [when, distinct, edited] : [when, each, value, directives.else];
  const advice =
    didYouMean(key, known, 1) ??
    (isOperation
      ? `an operation may have "${when}", "${distinct}" and "${edited}"`
      : `there are "${when}", "${directives.else}", "${value}", and for entries of lists "${each}"`);
  return { code: "UnknownField", message: `"${key}" means nothing here; ${advice}`, path };
}

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
  const each = isObject(template) ? template[directives.each] : undefined;
  const at = [...path, directives.each];
  const column = each === undefined || each === "row" ? undefined : listOf(each, at, compilation);
  const build = compileValue(template, path, withEntry(compilation, each, column));
  const append = (scope: Scope, list: unknown[]) => {
    const value = buildAt(list.length, build, scope);
    if (value !== omitted) list.push(value);
  };
  if (each === undefined) return append;
  return (scope, list) => {
    const entries =
      column === undefined ? scope.rows : valueOrIssue(scope, "", () => column.entriesOf(scope.row));
    if (!Array.isArray(entries)) return;
    for (const row of entries) {
      countEntry(scope);
      append({ ...scope, row }, list);
    }
  };
}

/** The compilation of what is repeated: there the column is an entry of its list. */
export function withEntry(compilation: Compilation, each: unknown, column: Column | undefined): Compilation {
  if (each === "row") return { ...compilation, depths: new Map() };
  if (column === undefined) return compilation;
  const depth = compilation.depths.get(column.slot) ?? 0;
  return { ...compilation, depths: new Map(compilation.depths).set(column.slot, depth + 1) };
}

/** The column of `$each`; undefined, with a problem, where it is not a list. */
function listOf(
  each: unknown,
  path: JsonPath,
  { columns, map, depths, problems }: Compilation,
): Column | undefined {
  if (typeof each === "string" && map.columns[each] !== undefined) {
    const column = columns.get(each, path);
    const depth = depths.get(column.slot) ?? 0;
    if (column.settingsAt(depth)?.type === "list") return column;
    if (depth > 0) {
      const message = `${quoted(each)} is an entry of the list here; to split it, give the list "entries" of the type "list"`;
      problems.push({ code: "InvalidValue", message, path });
      return undefined;
    }
  }
  const message = `"${directives.each}" is "row", an entry for each row of the group, or a column of the type "list"`;
  const advice = typeof each === "string" ? didYouMean(each, ["row", ...columns.lists], 1) : undefined;
  problems.push({ code: "InvalidValue", message: advice ? `${message}; ${advice}` : message, path });
  return undefined;
}
