import type { FileReport, Issue, OnIssue, PictureCheck } from "@lading/schema";
import { type Context, counted, line, paint, plain, type Sink } from "../context.ts";
import { LaterLines } from "./later-lines.ts";
import { printCauses } from "./print-causes.ts";

// Loaded only here: it is the largest part of the code that a command loads.
const schema = () => import("@lading/schema/internal");

/** Checks the JSON of a mass operation file on this machine. */
export async function checkFile(json: AsyncIterable<Uint8Array>, options: CheckOptions): Promise<FileReport> {
  return (await schema()).checkOperationFile(json, options);
}

interface CheckOptions {
  strict?: boolean;
  pictures?: PictureCheck;
}

/**
 * Checks the JSON of a mass operation file on this machine, and prints its issues as compilers do,
 * `file:line:column: error: …`: by cause, or with `all` each one, errors before warnings. Each
 * unusable picture is printed: one says nothing about the others.
 */
export async function checkForPeople(
  context: Context,
  file: string,
  json: AsyncIterable<Uint8Array>,
  { all = false, ...options }: CheckOptions & { all?: boolean },
): Promise<FileReport> {
  const { Causes, checkOperationFile } = await schema();
  const { stdout } = context;
  const causes = new Causes<Issue["severity"], Issue>("error", "warning");
  const textOf = (issue: Issue) => issueText(stdout, file, issue);
  const warnings = new LaterLines();
  const onIssue: OnIssue = (severity, message, pointer, code) =>
    all || code === "UnusablePicture"
      ? (issue) => line(severity === "error" ? stdout : warnings, textOf(issue))
      : causes.count(severity, message, fieldOf(pointer));
  return warnings.behind(stdout, async () => {
    const report = await checkOperationFile(json, { ...options, onIssue });
    printCauses(context, stdout, causes, textOf);
    return report;
  });
}

/** The last name of a pointer, without list indexes. */
const fieldOf = (pointer: string) =>
  /([^/]+)(?:\/\d+)*$/.exec(pointer.replace(/^\/operations\/\d+/, ""))?.[1];

/** `shop.json: 1,204 operations, 2 errors, 1 warning` */
export function summary(
  file: string,
  { operations, errorCount, warningCount }: Omit<FileReport, "lifetimes">,
): string {
  const issues = [counted(errorCount, "error"), counted(warningCount, "warning")].join(", ");
  return `${file}: ${counted(operations, "operation")}, ${issues}`;
}

export function issueText(sink: Sink, file: string, issue: Issue): string {
  const { severity, message, pointer, operationIndex, intent, ref } = issue;
  const position = [file, issue.line, issue.column].filter((part) => part !== null).join(":");
  const operation = [
    operationIndex === null ? null : `operation ${operationIndex}`,
    intent,
    ref === null ? null : `_ref ${ref}`,
    pointer,
  ].filter(Boolean);
  const style = severity === "error" ? "red" : "yellow";
  const suffix = operation.length === 0 ? "" : ` (${plain(operation.join(", "))})`;
  return `${position}: ${paint(sink, style, severity)}: ${plain(message)}${suffix}`;
}
