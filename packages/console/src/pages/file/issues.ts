import type { IssueNode } from "./documents.ts";

/** A file's issue, with its number in the service's list, from 1. */
export interface FileIssue extends IssueNode {
  number: number;
}

/** Numbers issues as the service lists them, and returns them ordered by position; those without one come last. */
export function inFileOrder(issues: readonly IssueNode[]): FileIssue[] {
  const positionOf = ({ offset }: IssueNode) => offset ?? Number.POSITIVE_INFINITY;
  return issues
    .map((issue, i) => ({ ...issue, number: i + 1 }))
    .sort((a, b) => (positionOf(a) === positionOf(b) ? a.number - b.number : positionOf(a) - positionOf(b)));
}

/** The issue after or before the current one or, without a current one, the visible position. */
export function neighbour(
  issues: readonly FileIssue[],
  { current, offset }: { current: number | undefined; offset: number },
  step: 1 | -1,
): FileIssue | undefined {
  const placed = issues.filter((issue) => issue.offset !== null);
  const at = placed.findIndex(({ number }) => number === current);
  if (at !== -1) return placed[at + step];
  return step === 1
    ? placed.find((issue) => Number(issue.offset) >= offset)
    : placed.findLast((issue) => Number(issue.offset) < offset);
}

/** The issue a URL asks for: by its number, its position, or the operation it kept from being executed. */
export function chosenIssue(
  issues: readonly FileIssue[],
  { issue, offset, operation }: { issue?: number; offset?: number; operation?: number },
  isExecuted: boolean,
): FileIssue | undefined {
  if (issue !== undefined) return issues.find(({ number }) => number === issue);
  if (offset !== undefined) return issues.find((each) => each.offset === offset);
  if (operation === undefined || isExecuted) return undefined;
  return issues.find(({ operationIndex }) => operationIndex === operation);
}
