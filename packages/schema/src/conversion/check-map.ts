import { type Intent, intentNames, isIntent } from "../intents.ts";
import { isObject } from "../is-object.ts";
import { checkOperation } from "../operation/check-operation.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { describe, didYouMean, oneOf } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { problemsIn } from "../schema-walk/problems-in.ts";
import { hasTemplate } from "../templates/is-template.ts";
import {
  type ColumnSettings,
  type ColumnType,
  type Conditions,
  type ConversionMap,
  columnSchemas,
  columnTypes,
  conditionSchema,
  directives,
  mapShape,
} from "./map-schema.ts";

/** Checks a map as far as possible without the table, and converts it to its full form. */
export function checkConversionMap(
  value: unknown,
): { map: ConversionMap; problems?: undefined } | { problems: Problem[] } {
  const { errors, warnings } = problemsIn(mapShape, value);
  const problems = [...errors, ...warnings];
  if (problems.length > 0 || !isObject(value)) return { problems };
  const parsed = mapShape.parse(value);
  const map: ConversionMap = {
    columns: columnsOf(parsed.columns, problems),
    constants: objectAt(parsed.constants, ["constants"], problems),
    when: conditionsOf(parsed.when, ["when"], problems),
    groupBy: parsed.groupBy === undefined ? [] : [parsed.groupBy].flat(),
    before: (parsed.before ?? []).filter(isObject),
    operations: parsed.operations.filter(isObject),
  };
  checkBefore(parsed.before ?? [], problems);
  for (const [index, operation] of parsed.operations.entries())
    checkTemplate(operation, ["operations", index], problems);
  return problems.length > 0 ? { problems } : { map };
}

function objectAt(value: unknown, path: JsonPath, problems: Problem[]): Record<string, unknown> {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  problems.push({ code: "WrongType", message: `expected an object, got ${describe(value)}`, path });
  return {};
}

function columnsOf(value: unknown, problems: Problem[]): Record<string, ColumnSettings> {
  const columns: Record<string, ColumnSettings> = Object.create(null);
  for (const [name, written] of Object.entries(objectAt(value, ["columns"], problems))) {
    const settings = columnOf(written, ["columns", name], problems);
    if (settings !== undefined) columns[name] = settings;
  }
  return columns;
}

const isColumnType = (name: unknown): name is ColumnType => columnTypes.some((type) => type === name);

/** The settings of one column, which may be written as its type alone. */
function columnOf(written: unknown, path: JsonPath, problems: Problem[]): ColumnSettings | undefined {
  const settings = typeof written === "string" ? { type: written } : written;
  if (!isObject(settings)) {
    const message = `expected a type or an object with "type", got ${describe(written)}`;
    problems.push({ code: "WrongType", message, path });
    return undefined;
  }
  const { type } = settings;
  if (!isColumnType(type)) {
    const advice = typeof type === "string" ? didYouMean(type, columnTypes, 1) : undefined;
    const message = `expected the type ${oneOf(columnTypes)}, got ${describe(type)}`;
    problems.push({ code: "InvalidValue", message: advice ? `${message}; ${advice}` : message, path });
    return undefined;
  }
  const before = problems.length;
  addProblems(problemsIn(columnSchemas[type], settings).errors, path, problems);
  return problems.length > before ? undefined : (settings as ColumnSettings);
}

function addProblems(found: readonly Problem[], path: JsonPath, problems: Problem[]): void {
  for (const problem of found) problems.push({ ...problem, path: [...path, ...problem.path] });
}

export function conditionsOf(value: unknown, path: JsonPath, problems: Problem[]): Conditions {
  const conditions = objectAt(value, path, problems);
  for (const [name, condition] of Object.entries(conditions)) {
    if (conditionSchema.safeParse(condition).success) continue;
    const message = `expected a text, a list of texts, or {"not": …} with these, got ${describe(condition)}`;
    problems.push({ code: "WrongType", message, path: [...path, name] });
  }
  return conditions as Conditions;
}

function checkBefore(operations: readonly unknown[], problems: Problem[]): void {
  for (const [index, operation] of operations.entries()) {
    const { errors, warnings } = checkOperation(operation);
    addProblems([...errors, ...warnings], ["before", index], problems);
  }
}

function checkTemplate(operation: unknown, path: JsonPath, problems: Problem[]): void {
  if (!isObject(operation)) {
    const message = `expected an operation, an object with "intent", got ${describe(operation)}`;
    problems.push({ code: "WrongType", message, path });
    return;
  }
  const objection = objectionToIntent(operation.intent);
  if (objection !== undefined)
    problems.push({ code: "UnknownIntent", message: objection, path: [...path, "intent"] });
  if (directives.each in operation)
    problems.push({
      code: "InvalidValue",
      message: `"${directives.each}" is for the entries of lists in an operation, not for the operation itself`,
      path: [...path, directives.each],
    });
}

/** Says what is wrong with an operation's intent; undefined for a valid one. */
function objectionToIntent(intent: unknown): string | undefined {
  if (isIntent(intent)) return undefined;
  if (typeof intent !== "string") return `expected an intent, such as ${example}, got ${describe(intent)}`;
  if (hasTemplate(intent) || intent.includes("[["))
    return "an intent is written as it is, without cells and templates";
  const advice = didYouMean(intent, intentNames);
  return `${describe(intent)} is not a known intent${advice === undefined ? "" : `; ${advice}`}`;
}

const example = JSON.stringify("product/upsert" satisfies Intent);
