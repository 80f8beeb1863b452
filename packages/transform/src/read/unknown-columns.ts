import type { Problem } from "@lading/schema";
import { didYouMean, quoted } from "@lading/schema/internal";
import { DataError } from "../issues.ts";
import type { UsedColumns } from "../row.ts";

/** Thrown when the map reads columns that the table does not have. The problems are located in the map. */
export class UnknownColumns extends Error {
  override readonly name = "UnknownColumns";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super("The table does not have all columns that the map reads.");
    this.problems = problems;
  }
}

/**
 * The index in a header of each column that the map reads, -1 for one that an exported table need not have.
 * @throws UnknownColumns when the header lacks columns, DataError for one that is there twice, and those of an export
 */
export function indexesIn(header: readonly string[], columns: UsedColumns, line = 1): number[] {
  columns.addAll(header);
  columns.chooseFrom(header);
  requireColumns(columns, header, line);
  const { names, areAll } = columns;
  const twice = names.find((name) => !areAll && header.indexOf(name) !== header.lastIndexOf(name));
  if (twice !== undefined)
    throw new DataError(
      "DuplicateColumn",
      "the header has this column twice, and the map reads it",
      line,
      twice,
    );
  return names.map((name) => header.indexOf(name));
}

function requireColumns(columns: UsedColumns, header: readonly string[], line: number): void {
  const { table, names, paths, optional, exported } = columns;
  const lacks = (name: string) => !header.includes(name);
  exported?.checkNames(
    lacks,
    header.filter((name) => !names.includes(name)),
    line,
  );
  const problems = names.flatMap((name, slot) =>
    lacks(name) && !optional.has(slot) && !exported?.has(name)
      ? [problemOf(table, name, paths[slot]!, header)]
      : [],
  );
  if (problems.length > 0) throw new UnknownColumns(problems);
}

function problemOf(table: string, name: string, path: Problem["path"], header: readonly string[]): Problem {
  const near = didYouMean(name, header) ?? `it has ${listed(header)}`;
  return { code: "UnknownColumn", message: `${table} has no column ${quoted(name)}; ${near}`, path };
}

/** Maximum number of columns in a message. */
const mostListed = 50;

function listed(header: readonly string[]): string {
  const shown = header.slice(0, mostListed).map(quoted).join(", ");
  return header.length > mostListed ? `${shown} and ${header.length - mostListed} more` : shown;
}
