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
