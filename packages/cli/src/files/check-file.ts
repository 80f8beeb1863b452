import type { FileReport, Issue } from "@lading/schema";
import { count, counted, line, paint, plain, type Sink } from "../context.ts";

/** Checks the JSON of a mass operation file on this machine. */
export async function checkFile(
  json: AsyncIterable<Uint8Array>,
  options: { strict?: boolean },
): Promise<FileReport> {
  // Loaded only here: it is the largest part of the code that a command loads.
  const { checkOperationFile } = await import("@lading/schema");
  return checkOperationFile(json, options);
}

/** Prints one issue a line in the form of compilers: `file:line:column: error: …`. */
export function printIssues(sink: Sink, file: string, report: Omit<FileReport, "lifetimes">): void {
  for (const issue of report.issues) line(sink, issueText(sink, file, issue));
  const hidden = report.errorCount + report.warningCount - report.issues.length;
  if (hidden > 0) line(sink, `… and ${count(hidden)} more`);
}

/** `shop.json: 1,204 operations, 2 errors, 1 warning` */
export function summary(
  file: string,
  { operations, errorCount, warningCount }: Omit<FileReport, "lifetimes">,
): string {
  const issues = [counted(errorCount, "error"), counted(warningCount, "warning")].join(", ");
  return `${file}: ${counted(operations, "operation")}, ${issues}`;
}

/** One issue in the form of compilers. */
export function issueText(sink: Sink, file: string, issue: Issue): string {
  const { severity, message, pointer, operationIndex, intent, ref } = issue;
  const place = [file, issue.line, issue.column].filter((part) => part !== null).join(":");
  const operation = [
    operationIndex === null ? null : `operation ${operationIndex}`,
    intent,
    ref === null ? null : `_ref ${ref}`,
    pointer,
  ].filter(Boolean);
  const style = severity === "error" ? "red" : "yellow";
  const suffix = operation.length === 0 ? "" : ` (${plain(operation.join(", "))})`;
  return `${place}: ${paint(sink, style, severity)}: ${plain(message)}${suffix}`;
}
