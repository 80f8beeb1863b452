import type { LocatedProblem } from "@lading/schema/internal";
import type { Counts, DataIssue } from "@lading/transform";
import { counted, line, paint, plain, type Sink } from "../../context.ts";

/** Prints the problems of a map in the form of compilers: `map.json:3:5: error: …`. */
export function printProblems(sink: Sink, file: string, problems: readonly LocatedProblem[]): void {
  for (const { line: at, column, message, path } of problems) {
    const where = path.length === 0 ? "" : ` (${plain(path.join("/"))})`;
    line(sink, `${file}:${at}:${column}: ${paint(sink, "red", "error")}: ${plain(message)}${where}`);
  }
}

/** Describes an issue of the data: `stock.csv:14: error: "12,5" is not a number (column "Price")`. */
export function issueText(sink: Sink, file: string, issue: DataIssue): string {
  const { severity, message, line: at, column, cell = at } = issue;
  const position = cell === null ? file : `${file}:${plain(String(cell))}`;
  const where = column === null ? "" : ` (column ${JSON.stringify(plain(column))})`;
  const style = severity === "error" ? "red" : "yellow";
  return `${position}: ${paint(sink, style, severity)}: ${plain(message)}${where}`;
}

/** `12 operations of 40 rows, 3 rows left out` */
export function countsText({ rows, leftOut, operations }: Counts): string {
  const left = leftOut === 0 ? "" : `, ${counted(leftOut, "row")} left out`;
  return `${counted(operations, "operation")} of ${counted(rows, "row")}${left}`;
}
