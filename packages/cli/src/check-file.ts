import { createReadStream } from "node:fs";
import type { FileReport, Issue } from "@lading/schema";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { type Context, count, counted, line, paint, plain, type Sink } from "./context.ts";
import { CliError, isAbort } from "./exit.ts";

/** Checks a file on this machine. @throws CliError when it cannot be read */
export async function checkFile(
  context: Context,
  file: string,
  options: { strict?: boolean },
): Promise<FileReport> {
  // Loaded only here: it is the largest part of the code that a command loads.
  const { checkOperationFile } = await import("@lading/schema");
  try {
    return await checkOperationFile(createReadStream(file, { signal: context.interrupted }), options);
  } catch (error) {
    if (isAbort(error, context.interrupted)) throw error;
    const code = errorCode(error);
    if (code === "ENOENT") throw new CliError(`there is no file ${file}`);
    if (code === "EISDIR") throw new CliError(`${file} is a folder`);
    throw code === "" ? error : new CliError(`cannot read ${file}: ${errorMessage(error)}`);
  }
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

function issueText(sink: Sink, file: string, issue: Issue): string {
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
