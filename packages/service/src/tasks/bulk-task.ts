import type { ActionCounts, BulkTaskRow } from "../storage/bulk-tasks/find.ts";
import type { BulkTaskStatus } from "../storage/bulk-tasks/status.ts";

/** A bulk task as clients see it. */
export interface BulkTask {
  id: string;
  type: "massOperation";
  status: BulkTaskStatus;
  key: string;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** When its log and its file were removed. */
  prunedAt: string | null;
  /** Set when the task itself failed. */
  info: { error: string; errorName: string; stack: string | null } | null;
  progress: BulkTaskProgress;
  /** Issues that validation found in the file. */
  errorCount: number;
  warningCount: number;
  /** The number of operations that may fail; null: any number. */
  maxFailures: number | null;
  /** True when every warning about the file is an error. */
  strict: boolean;
  sha256: string | null;
}

export interface BulkTaskProgress extends ActionCounts {
  /** Operations in the file; null until it has been read. */
  total: number | null;
  processed: number;
  succeeded: number;
  partial: number;
  failed: number;
  /** Why a started task is not running yet. */
  waitingFor: string | null;
  /** When the first operation was about to be executed. */
  startedAt: string | null;
  /** When the last operations so far were committed. */
  updatedAt: string | null;
  finishedAt: string | null;
  /** From `startedAt` to `updatedAt`, including the turns of others; null until operations were committed. */
  operationsPerSecond: number | null;
  /** Time until the end at that rate; null unless the task is running. */
  secondsLeft: number | null;
}

/** The counts of actions within a row. */
function actionCounts(row: ActionCounts): ActionCounts {
  const { created, updated, unchanged, deleted, published, unpublished } = row;
  return { created, updated, unchanged, deleted, published, unpublished };
}

/** A stored bulk task as clients see it. */
export function bulkTaskOf(row: BulkTaskRow): BulkTask {
  return {
    id: row.id,
    type: "massOperation",
    status: row.status,
    key: row.key,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    prunedAt: row.prunedAt,
    info:
      row.errorName === null ? null : { error: row.error ?? "", errorName: row.errorName, stack: row.stack },
    progress: {
      total: row.total,
      processed: row.processed,
      succeeded: row.succeeded,
      partial: row.partial,
      failed: row.failed,
      ...actionCounts(row),
      waitingFor: waitingFor(row),
      startedAt: row.runningAt,
      updatedAt: row.progressedAt,
      finishedAt: row.endedAt,
      ...pace(row),
    },
    errorCount: row.errorCount,
    warningCount: row.warningCount,
    maxFailures: row.maxFailures,
    strict: row.strict,
    sha256: row.sha256,
  };
}

function pace({ status, runningAt, progressedAt, processed, total }: BulkTaskRow) {
  if (runningAt === null || progressedAt === null) return { operationsPerSecond: null, secondsLeft: null };
  // Both times are from the database's clock; a commit within one tick of it still has a rate.
  const seconds = Math.max(0.001, (Date.parse(progressedAt) - Date.parse(runningAt)) / 1000);
  const operationsPerSecond = processed / seconds;
  const secondsLeft =
    status === "running" && total !== null ? (total - processed) / operationsPerSecond : null;
  return { operationsPerSecond, secondsLeft };
}

function waitingFor(row: BulkTaskRow): string | null {
  if (row.status === "pending") return "a call of startMassOperationBulkTask";
  if (row.status !== "started") return null;
  if (row.validatedAt === null)
    return row.owner === null ? "a runner to validate the file" : "the end of validation";
  return row.ahead === null ? "a runner" : `bulk task ${row.ahead}, which was started earlier`;
}
