import { type Intent, intentNames, isIntent } from "../intents.ts";
import { isObject } from "../is-object.ts";
import { checkOperation } from "../operation/check-operation.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { describe, didYouMean, oneOf } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { problemsIn } from "../schema-walk/problems-in.ts";
import { hasTemplate } from "../templates/is-template.ts";
import {
  type CellSettings,
  type ColumnSettings,
  type ColumnType,
  type Conditions,
  type ConversionMap,
  cellSchemas,
  columnSchemas,
  columnTypes,
  comparisonSchema,
  comparisons,
  conditionSchema,
  directives,
  firstRow,
  mapShape,
  tableSchema,
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
    tables: tablesOf(parsed.tables, problems),
    constants: constantsOf(parsed.constants, problems),
    when: conditionsOf(parsed.when, ["when"], problems),
    exported: parsed.exported,
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

function tablesOf(value: unknown, problems: Problem[]): ConversionMap["tables"] {
  const tables = objectAt(value, ["tables"], problems);
  for (const [name, settings] of Object.entries(tables))
    addProblems(problemsIn(tableSchema, settings).errors, ["tables", name], problems);
  return tables as ConversionMap["tables"];
}

function constantsOf(value: unknown, problems: Problem[]): Record<string, unknown> {
  const constants = objectAt(value, ["constants"], problems);
  if (Object.hasOwn(constants, firstRow))
    problems.push({
      code: "InvalidValue",
      message: `[[$${firstRow}][…]] is a cell of the group's first row; give the constant another name`,
      path: ["constants", firstRow],
    });
  return constants;
}

const isColumnType = (name: unknown): name is ColumnType => columnTypes.some((type) => type === name);

function columnOf(written: unknown, path: JsonPath, problems: Problem[]): ColumnSettings | undefined {
  return settingsOf<ColumnSettings>(written, columnSchemas, path, problems);
}

/** Settings of cells, which may be written as their type alone. */
function settingsOf<Settings extends CellSettings>(
  written: unknown,
  schemas: typeof columnSchemas | typeof cellSchemas,
  path: JsonPath,
  problems: Problem[],
): Settings | undefined {
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
  addProblems(problemsIn(schemas[type], settings).errors, path, problems);
  if (problems.length > before) return undefined;
  checkTogether(settings as Settings, path, problems);
  if (type !== "list" || settings.entries === undefined) return settings as Settings;
  const entries = settingsOf<CellSettings>(settings.entries, cellSchemas, [...path, "entries"], problems);
  return { ...settings, entries } as Settings;
}

/** Finds settings that mean nothing without another one. */
function checkTogether(settings: CellSettings, path: JsonPath, problems: Problem[]): void {
  const refuse = (setting: string, message: string) =>
    problems.push({ code: "MissingField", message, path: [...path, setting] });
  if (settings.type === "number" && settings.divisor !== undefined && settings.round === undefined)
    refuse("divisor", '"divisor" needs "round", the decimals of the result');
  if (!("missing" in settings) || settings.missing === undefined) return;
  if (settings.values === undefined && settings.lookup === undefined)
    refuse("missing", '"missing" needs "values" or "lookup", where a cell may be missing');
}

function addProblems(found: readonly Problem[], path: JsonPath, problems: Problem[]): void {
  for (const problem of found) problems.push({ ...problem, path: [...path, ...problem.path] });
}

export function conditionsOf(value: unknown, path: JsonPath, problems: Problem[]): Conditions {
  const conditions = objectAt(value, path, problems);
  for (const [name, condition] of Object.entries(conditions)) {
    const at = [...path, name];
    if (isObject(condition) && Object.keys(condition).length > 0)
      addProblems(problemsIn(comparisonSchema, condition).errors, at, problems);
    else if (!conditionSchema.safeParse(condition).success || isObject(condition))
      problems.push({
        code: "WrongType",
        message: `${expectedCondition}, got ${describe(condition)}`,
        path: at,
      });
  }
  return conditions as Conditions;
}

const expectedCondition = `expected a text, a list of texts, or an object with ${oneOf(["not", ...comparisons])}`;

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
      message:
        `"${directives.each}" is for the entries of lists in an operation; ` +
        `"${directives.distinct}" makes an operation for each distinct value of a column`,
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
