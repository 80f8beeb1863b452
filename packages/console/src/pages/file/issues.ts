import type { IssueNode } from "./documents.ts";

/** An issue of a file, with its number in the service's list, from 1. */
export interface FileIssue extends IssueNode {
  number: number;
}

/** Numbers issues as the service lists them, and returns them in the order of their places; those without one last. */
export function inFileOrder(issues: readonly IssueNode[]): FileIssue[] {
  const placeOf = ({ offset }: IssueNode) => offset ?? Number.POSITIVE_INFINITY;
  return issues
    .map((issue, i) => ({ ...issue, number: i + 1 }))
    .sort((a, b) => (placeOf(a) === placeOf(b) ? a.number - b.number : placeOf(a) - placeOf(b)));
}

/** The next issue, or the one before, of the current one; without a current one, of the place that is seen. */
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

/** The issue that an address asks for: by its number, its place, or the operation that it kept from being executed. */
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
