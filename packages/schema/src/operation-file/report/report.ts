import type { FoundValue } from "../read/boundary-state.ts";
import { locate, offsetInString } from "../read/locate.ts";
import { positionsOf } from "../read/position.ts";
import type { Finding, Issue } from "./issue.ts";
import { countIssue, type IssueList, keepIssue, type OnIssue, storable } from "./issue-list.ts";

export interface Subject {
  readonly pointer: string;
  readonly operationIndex: number | null;
  readonly intent: string | null;
  readonly ref: string | null;
}

/** An issue about a name no operation has so far. */
export interface PendingIssue {
  readonly issue: Issue;
  readonly name: string;
  /** Called once the message is complete. */
  readonly take: ReturnType<OnIssue>;
}

/**
 * Counts findings, and keeps the first ones with their positions: the text is read again only for these, and
 * for those `onIssue` asks for. Returns the kept issues that the rest of the file may still change.
 */
export function report(
  list: IssueList,
  found: FoundValue,
  subject: Subject,
  findings: readonly Finding[],
): PendingIssue[] {
  const judged = list.strict ? findings.map(asError) : findings;
  const wanted = judged.flatMap((finding) => {
    const isKept = countIssue(list, finding.severity);
    const take = list.onIssue?.(finding.severity, finding.message, finding.pointer, finding.code);
    return isKept || take ? [{ ...finding, isKept, take }] : [];
  });
  if (wanted.length === 0) return [];
  const issues = issuesAt(found, subject, wanted);
  return wanted.flatMap(({ undefinedName: name, isKept, take }, at) => {
    const issue = issues[at]!;
    if (isKept) keepIssue(list, issue);
    if (isKept && name !== undefined) return [{ issue, name, take }];
    take?.(issue);
    return [];
  });
}

/** A finding as an issue with its position, neither counted nor kept. */
export const issueAt = (found: FoundValue, subject: Subject, finding: Finding): Issue =>
  issuesAt(found, subject, [finding])[0]!;

function issuesAt(found: FoundValue, subject: Subject, findings: readonly Finding[]): Issue[] {
  const offsets = offsetsOf(found.text, findings);
  const ascending = [...new Set(offsets)].sort((a, b) => a - b);
  const positions = positionsOf(found.text, ascending, found);
  const positionAt = new Map(ascending.map((offset, at) => [offset, positions[at]!]));
  return findings.map(({ severity, code, message, pointer }, at) => {
    const position = positionAt.get(offsets[at]!)!;
    const issue = issueOf({ ...subject, severity, code, message, ...position });
    issue.pointer = storable(subject.pointer + pointer, longestText);
    return issue;
  });
}

const asError = (finding: Finding): Finding => ({ ...finding, severity: "error" });

function offsetsOf(text: string, findings: readonly Finding[]): number[] {
  // The value itself begins its text. It may also be too deep to be walked.
  const unknown = findings
    .filter(({ at, pointer }) => at === undefined && pointer !== "")
    .map(({ pointer }) => pointer);
  const starts = unknown.length > 0 ? locate(text, unknown) : new Map<string, number>();
  return findings.map(({ at, pointer, inside }) => {
    if (at !== undefined) return at;
    const start = starts.get(pointer) ?? 0;
    return inside === undefined ? start : offsetInString(text, start, inside);
  });
}

/** Reports an error outside of values, or one that ended the reading. */
export function reportProblem(list: IssueList, problem: Problem): void {
  const issue = issueOf({ ...problem, severity: "error", intent: null, ref: null });
  if (countIssue(list, "error")) keepIssue(list, issue);
  list.onIssue?.("error", issue.message, issue.pointer, issue.code)?.(issue);
}

type Problem = Pick<Issue, "code" | "message" | "pointer" | "operationIndex" | "line" | "column" | "offset">;

const longestText = 1_000;
const longestName = 200;

/** Issues go into reports and into a database, whatever the file contains. */
function issueOf(issue: Issue): Issue {
  const { severity, code, message, pointer, operationIndex, intent, ref, line, column, offset } = issue;
  return {
    severity,
    code,
    message: storable(message, longestText),
    pointer: storable(pointer, longestText),
    operationIndex,
    intent: intent && storable(intent, longestName),
    ref: ref && storable(ref, longestName),
    line,
    column,
    offset,
  };
}
