import type { LocatedProblem, Problem } from "@lading/schema";
import {
  type ConversionMap,
  checkConversionMap,
  isObject,
  locateProblems,
  nearest,
  ownResult,
  quoted,
  readJson,
} from "@lading/schema/internal";
import type { LookupTable } from "../lookup-table.ts";
import type { Row, UsedColumns } from "../row.ts";
import { hasCells, writtenCell } from "./cells.ts";
import { Columns } from "./columns.ts";
import { compileConditions } from "./conditions.ts";
import { Exported } from "./exported.ts";
import { compileOperation, type OperationTemplate } from "./operation.ts";
import type { Compilation } from "./scope.ts";

export interface CompiledMap {
  readonly columns: UsedColumns;
  /** Further tables, by name. Each is to be read before rows are converted. */
  readonly tables: ReadonlyMap<string, LookupTable>;
  /** Operations that are written once, before the others. @internal */
  readonly before: readonly object[];
  /**
   * @internal
   * @throws CellError where a cell cannot be compared
   */
  isWanted(row: Row): boolean;
  /**
   * The key that the rows of a group have in common; undefined where each row is a group.
   * @internal
   * @throws CellError where it is to be looked up, and is missing
   */
  readonly groupOf: ((row: Row) => string) | undefined;
  /** In the order in which they are written: those of distinct values come first. @internal */
  readonly operations: readonly OperationTemplate[];
}

export interface MapOptions {
  /** True where every filled cell of an exported table counts as edited. */
  readonly allCells?: boolean | undefined;
}

/** Parses and compiles a map. Problems have their positions in the text. */
export function compileMap(
  text: string,
  options: MapOptions = {},
): { map: CompiledMap; problems?: undefined } | { map?: undefined; problems: LocatedProblem[] } {
  const json = readJson(text);
  if (json.problems !== undefined) return { problems: json.problems };
  const checked = checkConversionMap(json.value);
  if (checked.problems !== undefined) return { problems: locateProblems(text, checked.problems) };
  const problems: Problem[] = [];
  const map = compile(checked.map, problems, options);
  return problems.length > 0 ? { problems: locateProblems(text, problems) } : { map };
}

function compile(map: ConversionMap, problems: Problem[], { allCells = false }: MapOptions): CompiledMap {
  const columns = new Columns(map, problems);
  const compilation: Compilation = { map, columns, depths: new Map(), problems, references: [] };
  const isWanted = compileConditions(map.when, ["when"], compilation);
  const groupBy = map.groupBy.map((name) => columns.get(name, ["groupBy"]));
  const operations = map.operations.map((template, index) => compileOperation(template, index, compilation));
  // A type for a missing column is a typing error, although nothing reads the column.
  for (const name of Object.keys(map.columns)) columns.get(name, ["columns", name]);
  checkReferences(compilation);
  if (map.exported !== undefined) columns.used.exported = new Exported(columns, map.exported, allCells);
  return {
    columns: columns.used,
    tables: columns.tables,
    before: map.before,
    isWanted,
    groupOf:
      groupBy.length === 0 ? undefined : (row) => groupBy.map((column) => column.written(row)).join("\0"),
    operations: [
      ...operations.filter(({ isDistinct }) => isDistinct),
      ...operations.filter(({ isDistinct }) => !isDistinct),
    ],
  };
}

/** Finds references to no operation of the map and no result of its own, such as a column written as a template. */
function checkReferences({ map, references, problems }: Compilation): void {
  const refs = [...map.before, ...map.operations]
    .map((operation) => isObject(operation) && operation._ref)
    .filter((ref) => typeof ref === "string");
  // A name from the table could be any.
  const isAny = refs.some(hasCells);
  for (const { name, keys, path } of references) {
    const { _results } = map.operations[Number(path[1])] ?? {};
    if (refs.includes(name) || ownResult(_results, name) !== undefined) continue;
    const advice = adviceFor(name, keys, refs, isAny);
    if (advice === undefined) continue;
    const message = `no operation of the map has the _ref ${quoted(name)}${advice}`;
    problems.push({ code: "UndefinedReference", message, path });
  }
}

/** The names that rows and constants had when cells were templates. */
const formerNames = { row: "column", constants: "constant" } as const;

/** Says what a reference to no operation may mean; undefined where its name may come from the table. */
function adviceFor(
  name: string,
  keys: readonly string[],
  refs: readonly string[],
  isAny: boolean,
): string | undefined {
  if (name === "row" || name === "constants") {
    const kind = formerNames[name];
    const [first = "name", ...rest] = keys;
    return `: {{ }} is a template of the run; write ${writtenCell({ kind, name: first, keys: rest })} for the ${kind}`;
  }
  if (isAny) return undefined;
  const [near] = nearest(name, [...refs, "defaults"], 1);
  const cell = writtenCell({ kind: "column", name, keys });
  return `; ${near === undefined ? "" : `did you mean ${quoted(near)}? `}for a column of the table write ${cell}`;
}
