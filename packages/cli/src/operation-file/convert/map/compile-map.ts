import {
  type ConversionMap,
  checkConversionMap,
  eachTemplate,
  hasTemplate,
  isObject,
  type LocatedProblem,
  locateProblems,
  nearest,
  type Problem,
  quoted,
  readJson,
  usesOf,
} from "@lading/schema";
import { objectionToFormat } from "../cells/date.ts";
import { cellReader, type ReadCell } from "../cells/read-cell.ts";
import { type Row, UsedColumns } from "../row.ts";
import { compileOperation } from "./compile.ts";
import { compileConditions } from "./conditions.ts";
import type { Build } from "./scope.ts";

/** A map that is ready to make operations of rows. */
export interface CompiledMap {
  /** The columns that it reads. */
  readonly columns: UsedColumns;
  /** Operations that are written once, before the others. */
  readonly before: readonly object[];
  isWanted(row: Row): boolean;
  /** The slots of the columns that rows are grouped by; undefined where each row is an operation. */
  readonly groupBy: readonly number[] | undefined;
  readonly operations: readonly Build[];
}

/** Reads a map from its text, and compiles it. Problems have their places in the text. */
export function compileMap(
  text: string,
): { map: CompiledMap; problems?: undefined } | { map?: undefined; problems: LocatedProblem[] } {
  const json = readJson(text);
  if (json.problems !== undefined) return { problems: json.problems };
  const checked = checkConversionMap(json.value);
  if (checked.problems !== undefined) return { problems: locateProblems(text, checked.problems) };
  const problems: Problem[] = [];
  const map = compile(checked.map, problems);
  return problems.length > 0 ? { problems: locateProblems(text, problems) } : { map };
}

function compile(map: ConversionMap, problems: Problem[]): CompiledMap {
  const columns = new UsedColumns();
  const compilation = { map, columns, readerOf: readers(map, problems), problems };
  const isWanted = compileConditions(map.when, ["when"], columns);
  const groupBy = map.groupBy.map((name) => columns.slotOf(name, ["groupBy"]));
  const operations = map.operations.map((template, index) =>
    compileOperation(template, ["operations", index], compilation),
  );
  // A type for a column that is not there is a typing error, although nothing reads the column.
  for (const name of Object.keys(map.columns)) columns.slotOf(name, ["columns", name]);
  checkReferences(map, problems);
  return {
    columns,
    before: map.before,
    isWanted,
    groupBy: groupBy.length > 0 ? groupBy : undefined,
    operations,
  };
}

/** The readers of the columns' cells, each made once. */
function readers({ columns }: ConversionMap, problems: Problem[]): (column: string) => ReadCell {
  const made = new Map<string, ReadCell>();
  for (const [name, settings] of Object.entries(columns)) {
    const format = settings.type === "date" ? settings.format : undefined;
    const objection = format === undefined ? undefined : objectionToFormat(format);
    if (objection === undefined) made.set(name, cellReader(settings));
    else problems.push({ code: "InvalidValue", message: objection, path: ["columns", name, "format"] });
  }
  const plain = cellReader(undefined);
  return (column) => made.get(column) ?? plain;
}

/** Finds references to operations that the map does not make, such as a misspelt `row`. */
function checkReferences(map: ConversionMap, problems: Problem[]): void {
  const refs = [...map.before, ...map.operations].map((operation) => isObject(operation) && operation._ref);
  // A name from the table could be any.
  if (refs.some((ref) => typeof ref === "string" && hasTemplate(ref))) return;
  const known = ["row", "constants", "defaults", ...refs.filter((ref) => typeof ref === "string")];
  for (const [index, operation] of map.operations.entries())
    eachTemplate(operation, (template, path) => {
      const unknown = usesOrNone(template).find(({ name }) => !known.includes(name));
      if (unknown === undefined) return;
      const [near] = nearest(unknown.name, known, 1);
      const message = `no operation of the map has the _ref ${quoted(unknown.name)}${near === undefined ? "" : `; did you mean ${quoted(near)}?`}`;
      problems.push({ code: "UndefinedReference", message, path: ["operations", index, ...path] });
    });
}

function usesOrNone(template: string) {
  try {
    return usesOf(template).references;
  } catch {
    // It is reported where it is compiled.
    return [];
  }
}
