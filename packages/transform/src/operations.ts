import { type CheckedOperation, checkOperation, fileLimits, type Problem, toPointer } from "@lading/schema";
import { omitted } from "./cells/read-cell.ts";
import type { DataIssues } from "./issues.ts";
import type { CompiledMap } from "./map/compile-map.ts";
import { type Build, operationTooLong, type Scope, Trace } from "./map/scope.ts";
import type { Row } from "./row.ts";
import { isDeeper, valuesIn } from "./size.ts";

/** The object of the file, and its list of operations. */
const levelsOfFile = 2;

/** Makes the operations of a group of rows as JSON. What is wrong with them is an issue, with its line and column. */
export function operationsOf(rows: readonly Row[], map: CompiledMap, issues: DataIssues): string[] {
  const texts: string[] = [];
  const failed = new Set<string>();
  const scope: Scope = {
    row: rows[0]!,
    rows,
    made: { entries: 0, characters: 0 },
    fail({ line }, column, code, message) {
      // A map may read a cell more than once.
      const once = JSON.stringify([line, column, message]);
      if (!failed.has(once)) issues.error(code, message, line, column);
      failed.add(once);
    },
  };
  const isOnly = map.operations.length === 1;
  for (const [index, build] of map.operations.entries()) {
    const operation = build({ ...scope, made: { entries: 0, characters: 0 } });
    if (operation === omitted || failed.size > 0) continue;
    if (isDeeper(operation, fileLimits.depth - levelsOfFile)) {
      const message = `objects and lists may be nested ${fileLimits.depth} deep in a file, and the operation is deeper`;
      issues.error("NestedTooDeep", message, rows[0]!.line);
      continue;
    }
    const { errors, warnings } = checkOperation(operation);
    if (errors.length + warnings.length > 0)
      report({ build, index, isOnly }, scope, { errors, warnings }, issues);
    const text = textOf(operation);
    if (text === undefined || text.length > fileLimits.values) checkSize(text, rows[0]!.line, issues);
    texts.push(text ?? "");
  }
  return texts;
}

/** The JSON of an operation; undefined where it exceeds the maximum length of a string. */
function textOf(operation: unknown): string | undefined {
  try {
    return JSON.stringify(operation);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function checkSize(text: string | undefined, line: number, issues: DataIssues): void {
  if (text === undefined || new TextEncoder().encode(text).length > fileLimits.valueBytes)
    issues.error("TooLarge", operationTooLong, line);
  else if (valuesIn(text) > fileLimits.values)
    issues.error("TooLarge", `the operation has more than ${fileLimits.values} values, the limit`, line);
}

/** Reports problems of an operation, which is built once more to find the cells they come from. */
function report(
  operation: { readonly build: Build; readonly index: number; readonly isOnly: boolean },
  scope: Scope,
  { errors, warnings }: Pick<CheckedOperation, "errors" | "warnings">,
  issues: DataIssues,
): void {
  const trace = new Trace();
  operation.build({ ...scope, made: { entries: 0, characters: 0 }, trace });
  const template = operation.isOnly ? "" : `operations[${operation.index}] `;
  const explained = ({ message, path }: Problem) => {
    const { line, column } = trace.sourceOf(path) ?? { line: scope.row.line, column: null };
    return [`${template}${toPointer(path)}: ${message}`, line, column] as const;
  };
  for (const problem of errors) issues.error(problem.code, ...explained(problem));
  for (const problem of warnings) {
    const { code, path } = problem;
    // An unknown field is the map's problem, and the same for each row.
    if (code !== "UnknownField") issues.warn(code, ...explained(problem));
    else
      issues.warnOnce(
        template + path.filter((key) => typeof key === "string").join("/"),
        code,
        ...explained(problem),
      );
  }
}
