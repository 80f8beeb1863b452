import type { Issue } from "./issue.ts";

/**
 * Called for every issue. If it returns a function, that is called with the issue once its position and
 * message are known.
 * @param pointer leads to the issue, from the operation or from the root of the file
 */
export type OnIssue = (
  severity: Issue["severity"],
  message: string,
  pointer: string,
  code: string,
) => ((issue: Issue) => void) | undefined;

/** Counts all issues and keeps the first ones, errors before warnings: its memory is bounded. */
export interface IssueList {
  /** Counts and keeps every warning as an error. */
  readonly strict: boolean;
  errorCount: number;
  warningCount: number;
  readonly errors: Issue[];
  readonly warnings: Issue[];
  readonly limit: number;
  readonly onIssue: OnIssue | undefined;
}

export function issueList(limit: number, strict: boolean, onIssue: OnIssue | undefined): IssueList {
  return { strict, errorCount: 0, warningCount: 0, errors: [], warnings: [], limit, onIssue };
}

/** Counts an issue. Returns true if it is also kept, so that its position is worth finding. */
export function countIssue(list: IssueList, severity: Issue["severity"]): boolean {
  if (severity === "error") list.errorCount++;
  else list.warningCount++;
  const kept = severity === "error" ? list.errorCount : list.errorCount + list.warningCount;
  return kept <= list.limit;
}

export function keepIssue(list: IssueList, issue: Issue): void {
  (issue.severity === "error" ? list.errors : list.warnings).push(issue);
}

/** Counts an issue of an earlier operation, and keeps it in file order. */
export function insertIssue(list: IssueList, issue: Issue): void {
  const severity = list.strict ? "error" : issue.severity;
  list.onIssue?.(severity, issue.message, issue.pointer, issue.code)?.({ ...issue, severity });
  if (!countIssue(list, severity)) return;
  const issues = severity === "error" ? list.errors : list.warnings;
  const after = issues.findIndex(
    ({ operationIndex }) => (operationIndex ?? -1) > (issue.operationIndex ?? -1),
  );
  issues.splice(after === -1 ? issues.length : after, 0, { ...issue, severity });
}

/** The kept issues, errors first, each kind in file order. */
export function issuesOf({ errors, warnings, limit }: IssueList): Issue[] {
  return [...errors, ...warnings].slice(0, limit);
}

/** The text in a form that every database column takes, with at most `length` UTF-16 units. */
export function storable(text: string, length: number): string {
  const whole = text.length <= length ? text : `${text.slice(0, length - 1)}…`;
  return whole.toWellFormed().replaceAll("\0", "\uFFFD");
}
