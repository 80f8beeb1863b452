/**
 * A run executes a file. A plan previews a run without changing the tenant's data. A retry executes operations of an
 * earlier task again; an undo reverses what a task did.
 */
export const bulkTaskKinds = ["run", "plan", "retry", "undo"] as const;

export type BulkTaskKind = (typeof bulkTaskKinds)[number];

/**
 * The states of a bulk task:
 *
 *   pending ──start──▶ started ──first batch──▶ running ──last batch──▶ complete
 *                         └────────invalid file────────┴──task failed──▶ error
 *   pending, started or running ──cancel──▶ error
 *
 * A task that is `started` is validated, then waits for its tenant's turn. CHECK constraints hold the rules.
 */
export const bulkTaskStatuses = ["pending", "started", "running", "complete", "error"] as const;

export type BulkTaskStatus = (typeof bulkTaskStatuses)[number];

export const operationStatuses = ["success", "partial", "failure"] as const;

export type OperationStatus = (typeof operationStatuses)[number];

export const actions = ["created", "updated", "unchanged", "deleted", "published", "unpublished"] as const;

export type Action = (typeof actions)[number];

/** The time that a text in ISO 8601 states with an offset or Z, in UTC; undefined for any other text. */
export function startTime(text: string): string | undefined {
  const [, day] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/.exec(text) ?? [];
  const time = Date.parse(text);
  // Not all times of `Date` have four digits for the year, as the database's have.
  if (day === undefined || !(time >= 0 && time < Date.UTC(10_000, 0))) return undefined;
  // `Date.parse` takes 30 February for 2 March.
  const isCalendarDate = new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  return isCalendarDate ? new Date(time).toISOString() : undefined;
}

/** The roles of access tokens; each may do what the ones before it may. */
export const tokenRoles = ["reader", "planner", "admin"] as const;

export type TokenRole = (typeof tokenRoles)[number];
