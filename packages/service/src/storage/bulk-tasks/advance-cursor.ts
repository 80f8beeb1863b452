import { type Action, actions, type BulkTaskKind } from "@lading/schema/internal";
import type { Queries } from "../database.ts";
import { type Claim, changeClaimed, claimIsHeld, claimParameters, LostClaim } from "./claims/claimed-task.ts";
import { extendLease } from "./claims/renew-lease.ts";
import { closeHour, hourOf, type Progress, progress } from "./operation-hours.ts";
import { noteUndone } from "./undos/undone.ts";

/** The parts of a log entry that are counted. */
export interface CountedOperation {
  readonly status: keyof typeof columns;
  readonly action: Action | null;
}

const columns = { success: "succeeded", partial: "partial", failure: "failed" } as const;

/** The columns of `bulk_tasks` that count operations: skipped ones, then executed ones by status and by action. */
const counters = ["skipped", ...Object.values(columns), ...actions] as const;

/** Adds to all counters in an UPDATE, with parameters from this number on. */
const addToCounters = (first: number): string =>
  counters.map((counter, i) => `${counter} = ${counter} + $${first + i}`).join(", ");

/** The position after the last executed operation, and the operations executed since the last commit. */
export interface Advance {
  /** The index of the transaction's first operation, which the cursor must be at. */
  readonly found: number;
  /** Index of the next operation. */
  readonly index: number;
  /** The offset just after the last operation, in bytes. */
  readonly offset: number;
  /** Length of the lease, in milliseconds. */
  readonly lease: number;
  readonly executed: readonly CountedOperation[];
  /** The number of skipped operations among them. */
  readonly skipped?: number;
}

/** The parameter of a counter in `advance`. */
const added = (counter: (typeof counters)[number]) => `$${firstCounter + counters.indexOf(counter)}`;
const firstCounter = 9;

/** The numbers of executed and of failed operations after the UPDATE. */
const executedNow = `$5 - skipped - ${added("skipped")}::int`;
const failedNow = `failed + ${added("failed")}::int`;

/** The number of failures that `max_failures` counts: in a run that is all or nothing, with partial operations. */
const countedNow = `${failedNow} + CASE WHEN on_failure IS NOT NULL THEN partial + ${added("partial")}::int ELSE 0 END`;

/** Why to hold the task after this batch; null: don't, as at the end of the file, or when it is going to end. */
const holdNow = `CASE WHEN $5::int >= total OR ${countedNow} > max_failures THEN NULL
    WHEN ${executedNow} >= hold_after THEN 'operations'
    WHEN ${failedNow} - failed_before_resume >= hold_on_failures THEN 'failures' END`;

const advance = `
  UPDATE bulk_tasks SET cursor_index = $5, cursor_offset = $6, progressed_at = statement_timestamp(),
    attempts = CASE WHEN kind = 'plan' THEN attempts ELSE 0 END, -- A plan that is claimed again begins again.
    held_because = ${holdNow}, held_at = CASE WHEN ${holdNow} IS NOT NULL THEN clock.now END,
    ${extendLease("$7")}, ${addToCounters(firstCounter)}
  FROM (SELECT now()) clock,
    (SELECT succeeded + partial = 0 AS "wasIdle", ${progress} FROM bulk_tasks WHERE tenant_id = $1 AND id = $2) before
  WHERE ${claimIsHeld} AND cursor_index = $8
  RETURNING kind, of_task AS "ofTask", progressed_at AS "progressesAt", succeeded + partial = 0 AS "isIdle", before.*`;

/** The progress before the batch, and what the batch changed of it. */
interface Advanced extends Progress {
  readonly kind: BulkTaskKind;
  readonly ofTask: string | null;
  readonly progressesAt: string;
  /** True while no operation had an effect. */
  readonly wasIdle: boolean;
  readonly isIdle: boolean;
}

/**
 * Moves the cursor of a claimed task, adds to its counters and renews its lease, in the transaction of the effects and
 * the log entries. When an hour has passed, adds to it what was executed before; when an undo undoes its first
 * operations, notes that in the undone task. Throws `LostClaim`, also if the cursor is not where this transaction found
 * it: another runner has then executed the same operations, and this transaction must be rolled back.
 */
export async function advanceCursor(
  transaction: Queries,
  claim: Claim,
  { found, index, offset, lease, executed, skipped = 0 }: Advance,
): Promise<void> {
  const [advanced] = await transaction.query<Advanced>(advance, [
    ...claimParameters(claim),
    ...[index, offset, lease, found],
    ...countersOf(executed, skipped),
  ]);
  if (advanced === undefined) throw new LostClaim(claim);
  const { kind, ofTask, progressedAt, progressesAt, wasIdle, isIdle } = advanced;
  if (kind !== "plan" && progressedAt !== null && hourOf(progressedAt) < hourOf(progressesAt))
    await closeHour(transaction, claim, advanced);
  if (kind === "undo" && wasIdle && !isIdle) await noteUndone(transaction, claim.tenantId, ofTask);
}

const begin = `
  UPDATE bulk_tasks SET first_new_id = $5, destructive = NULL, cursor_index = 0, cursor_offset = 0, ${counters.map((counter) => `${counter} = 0`).join(", ")}
  WHERE ${claimIsHeld}`;

/**
 * Resets a claimed plan, whose log is empty, to its first operation, with a new lower bound for its new ids. Throws
 * `LostClaim`.
 */
export const beginPlan = (queries: Queries, claim: Claim, firstNewId: string): Promise<void> =>
  changeClaimed(queries, claim, begin, [firstNewId]);

/** Counts operations, in the order of `addToCounters`. */
function countersOf(operations: readonly CountedOperation[], skipped: number): number[] {
  const counted = new Map([["skipped", skipped]]);
  for (const { status, action } of operations)
    for (const counter of action === null ? [columns[status]] : [columns[status], action])
      counted.set(counter, (counted.get(counter) ?? 0) + 1);
  return counters.map((counter) => counted.get(counter) ?? 0);
}
