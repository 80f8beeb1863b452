import { type CheckedOperation, checkOperation, fileLimits, type Problem, toPointer } from "@lading/schema";
import { SeenKeys } from "@lading/schema/internal/seen-keys";
import { omitted } from "./cells/cell.ts";
import type { DataIssues } from "./issues.ts";
import type { CompiledMap } from "./map/compile-map.ts";
import { operationTooLong, type Scope, Trace } from "./map/scope.ts";
import type { Row } from "./row.ts";
import { isDeeper, valuesIn } from "./size.ts";

/** The object of the file, and its list of operations. */
const levelsOfFile = 2;

/**
 * Makes the operations of a group of rows as JSON. What is wrong with them is an issue, with its line and column.
 *
 * @param seen the values of `$distinct` so far, for each operation of the map
 */
export function operationsOf(
  written: readonly Row[],
  map: CompiledMap,
  issues: DataIssues,
  seen: readonly SeenKeys[] = map.operations.map(() => new SeenKeys()),
): string[] {
  const rows = written.map((row) => (row.edits === undefined ? row : { line: row.line, cells: row.edits }));
  const texts: string[] = [];
  const failed = new Set<string>();
  const group: Omit<Scope, "made"> = {
    row: rows[0]!,
    first: rows[0]!,
    rows,
    fail({ line }, column, code, message) {
      // A map may read a cell more than once.
      const once = JSON.stringify([line, column, message]);
      if (!failed.has(once)) issues.error(code, message, line, column);
      failed.add(once);
    },
  };
  for (const [at, template] of map.operations.entries()) {
    const fresh = () => ({ entries: 0, characters: 0 });
    for (const scope of template.scopesOf({ ...group, made: fresh() }, seen[at]!)) {
      const operation = template.build({ ...scope, made: fresh() });
      if (operation === omitted || failed.size > 0) continue;
      const label = map.operations.length === 1 ? "" : `operations[${template.index}] `;
      const explain = () => {
        const trace = new Trace();
        template.build({ ...scope, made: fresh(), trace });
        return { trace, label, line: scope.row.line };
      };
      const text = checkedText(operation, scope.row.line, explain, issues);
      if (text !== undefined) texts.push(text);
    }
  }
  return texts;
}

/** The JSON of an operation; undefined, with an issue, where it is too deep or too large. */
function checkedText(
  operation: unknown,
  line: number,
  explain: () => Explanation,
  issues: DataIssues,
): string | undefined {
  if (isDeeper(operation, fileLimits.depth - levelsOfFile)) {
    const message = `objects and lists may be nested ${fileLimits.depth} deep in a file, and the operation is deeper`;
    issues.error("NestedTooDeep", message, line);
    return undefined;
  }
  const { errors, warnings } = checkOperation(operation);
  if (errors.length + warnings.length > 0) report({ errors, warnings }, explain(), issues);
  const text = textOf(operation);
  if (text === undefined || text.length > fileLimits.values) checkSize(text, line, issues);
  return text;
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

interface Explanation {
  readonly trace: Trace;
  /** Names the operation of the map, where it has several. */
  readonly label: string;
  readonly line: number;
}

/** Reports problems of an operation, with the cells they come from. */
function report(
  { errors, warnings }: Pick<CheckedOperation, "errors" | "warnings">,
  { trace, label, line: ownLine }: Explanation,
  issues: DataIssues,
): void {
  const explained = ({ message, path }: Problem) => {
    const { line, column } = trace.sourceOf(path) ?? { line: ownLine, column: null };
    return [`${label}${toPointer(path)}: ${message}`, line, column] as const;
  };
  for (const problem of errors) issues.error(problem.code, ...explained(problem));
  for (const problem of warnings) {
    const { code, path } = problem;
    // An unknown field is the map's problem, and the same for each row.
    if (code !== "UnknownField") issues.warn(code, ...explained(problem));
    else
      issues.warnOnce(
        label + path.filter((key) => typeof key === "string").join("/"),
        code,
        ...explained(problem),
      );
  }
}
