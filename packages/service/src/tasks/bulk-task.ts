import type { BulkTaskKind, BulkTaskStatus } from "@lading/schema/internal";
import type { OnFailure } from "../storage/bulk-tasks/claims/claimed-task.ts";
import type { ActionCounts, BulkTaskRow, TopFailure } from "../storage/bulk-tasks/find.ts";
import type { DestructiveChanges } from "../storage/bulk-tasks/plans/destructive.ts";
import type { RetriedOutcome } from "../storage/bulk-tasks/retries/retry-chain.ts";

/** A bulk task, as clients see it. */
export interface BulkTask {
  id: string;
  type: "massOperation";
  kind: BulkTaskKind;
  /** The task it retries or undoes, or plans to undo; for a run, the plan it follows. */
  ofTask: string | null;
  /** The newest undo of this task, whether or not it has ended. */
  undoneBy: string | null;
  status: BulkTaskStatus;
  key: string;
  createdAt: string;
  /** The name of the access token that created it, or `operator`. */
  createdBy: string;
  plannerId: string | null;
  followedBy: string | null;
  startedAt: string | null;
  endedAt: string | null;
  /** When its log and its file were removed. */
  prunedAt: string | null;
  /** Set when the task itself failed. */
  info: { error: string; errorName: string; stack: string | null } | null;
  /** For a plan that would remove something: the totals. */
  destructive: DestructiveChanges | null;
  progress: BulkTaskProgress;
  topFailure: TopFailure | null;
  /** Issues that validation found in the file. */
  errorCount: number;
  warningCount: number;
  /** Maximum number of failed operations; null: unlimited. */
  maxFailures: number | null;
  /** The number of operations after which it is held; null: none, or it was already held. */
  holdAfter: number | null;
  /** The number of failures since it was last resumed after which it is held; null: never. */
  holdOnFailures: number | null;
  /** When it was held; null if it isn't. */
  heldAt: string | null;
  /** The outcomes that a retry includes; null for other kinds. */
  include: RetriedOutcome[] | null;
  /** Treats warnings as errors. */
  strict: boolean;
  sha256: string | null;
  /** The name of the file in a folder whose files are applied once. */
  appliedAs: string | null;
  /** The task that begins when it fails; null: none. */
  onFailure: OnFailure | null;
  /** When a pending task starts, or was to start; null: on request. */
  startAt: string | null;
}

export interface BulkTaskProgress extends ActionCounts {
  /** Operations in the file; null until it has been read. */
  total: number | null;
  processed: number;
  succeeded: number;
  partial: number;
  failed: number;
  /** Processed operations that were skipped. */
  skipped: number;
  /** The number of operations to execute: for a retry, the selected ones. Null until known. */
  toExecute: number | null;
  /** Failed and partial operations that have since succeeded in a retry. */
  repaired: number;
  /** Why a started task is not running yet. */
  waitingFor: string | null;
  /** When execution of the first operation began. */
  startedAt: string | null;
  /** When operations were last committed. */
  updatedAt: string | null;
  finishedAt: string | null;
  /** Executed from `startedAt` to `updatedAt`, including other tasks' time slices; null until any were committed. */
  operationsPerSecond: number | null;
  /** Remaining time at that rate; null unless the task is running and not held. */
  secondsLeft: number | null;
}

function actionCounts(row: ActionCounts): ActionCounts {
  const { created, updated, unchanged, deleted, published, unpublished } = row;
  return { created, updated, unchanged, deleted, published, unpublished };
}

/** Converts a stored bulk task to what clients see. */
export function bulkTaskOf(row: BulkTaskRow): BulkTask {
  return {
    id: row.id,
    type: "massOperation",
    kind: row.kind,
    ofTask: row.ofTask,
    undoneBy: row.undoneBy,
    status: row.status,
    key: row.key,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    plannerId: row.plannerId,
    followedBy: row.followedBy,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    prunedAt: row.prunedAt,
    destructive: row.destructive,
    info:
      row.errorName === null ? null : { error: row.error ?? "", errorName: row.errorName, stack: row.stack },
    progress: {
      total: row.total,
      processed: row.processed,
      succeeded: row.succeeded,
      partial: row.partial,
      failed: row.failed,
      skipped: row.skipped,
      toExecute: row.toExecute ?? row.total,
      repaired: row.repaired,
      ...actionCounts(row),
      waitingFor: waitingFor(row),
      startedAt: row.runningAt,
      updatedAt: row.progressedAt,
      finishedAt: row.endedAt,
      ...pace(row),
    },
    topFailure: row.topFailure,
    errorCount: row.errorCount,
    warningCount: row.warningCount,
    maxFailures: row.maxFailures,
    holdAfter: row.holdAfter,
    holdOnFailures: row.holdOnFailures,
    heldAt: row.heldAt,
    include: row.include,
    strict: row.strict,
    sha256: row.sha256,
    appliedAs: row.appliedAs,
    onFailure: row.onFailure,
    startAt: row.startAt,
  };
}

function pace(row: BulkTaskRow) {
  const { status, heldAt, runningAt, progressedAt, processed, skipped, total, toExecute } = row;
  if (runningAt === null || progressedAt === null) return { operationsPerSecond: null, secondsLeft: null };
  // Both times are from the database's clock; a commit within one tick of it still has a rate.
  const seconds = Math.max(0.001, (Date.parse(progressedAt) - Date.parse(runningAt)) / 1000);
  const executed = processed - skipped;
  const operationsPerSecond = executed / seconds;
  const all = toExecute ?? total;
  const secondsLeft =
    status === "running" && heldAt === null && all !== null && executed > 0
      ? (all - executed) / operationsPerSecond
      : null;
  return { operationsPerSecond, secondsLeft };
}

function waitingFor(row: BulkTaskRow): string | null {
  if (row.status === "pending" && row.startAt === null) return "a call of startMassOperationBulkTask";
  if (row.status === "pending" && row.heldAt === null) return `its date, ${row.startAt}`;
  if (row.heldAt !== null && (row.validatedAt !== null || row.status === "pending"))
    return `a call of resumeBulkTask: ${heldBecause(row)}`;
  if (row.status !== "started") return null;
  if (row.validatedAt === null)
    return row.owner === null ? "a runner to validate the file" : "the end of validation";
  if (row.ahead === null) return "a runner";
  const why = row.aheadIsLater ? "comes first" : "was started earlier";
  return `bulk task ${row.ahead}, which ${why}${row.aheadIsHeld ? " and is held" : ""}`;
}

/** Says why a task is held. */
function heldBecause({ heldBecause, processed, skipped, failed, holdOnFailures }: BulkTaskRow): string {
  const count = processed - skipped;
  const executed = count === 1 ? "1 operation was executed" : `${count} operations were executed`;
  if (heldBecause === "operations") return `${executed} (holdAfter)`;
  if (heldBecause === "failures")
    return `${failed} ${failed === 1 ? "operation has" : "operations have"} failed (holdOnFailures ${holdOnFailures})`;
  return `on request, when ${executed}`;
}
