import { didYouMean, type Problem, quoted } from "@lading/schema";
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

/** @throws UnknownColumns when the header lacks columns, DataError for those of an export */
export function requireColumns(columns: UsedColumns, header: readonly string[]): void {
  const { table, names, paths, optional, exported } = columns;
  const lacks = (name: string) => !header.includes(name);
  exported?.checkNames(
    lacks,
    header.filter((name) => !names.includes(name)),
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
