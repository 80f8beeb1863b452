import { actions } from "@lading/schema";
import { type ActionCounts, actionCounts } from "../storage/bulk-tasks/counters.ts";

/**
 * The states of a bulk task (specification, "States and transitions"):
 *
 *   pending ──start──▶ started ──first batch──▶ running ──last batch──▶ complete
 *                         └────────invalid file────────┴──task failed──▶ error
 *   pending, started or running ──cancel──▶ error
 *
 * A task that is `started` is validated, then waits for its tenant's turn. CHECK constraints hold the rules.
 */
export const bulkTaskStatuses = ["pending", "started", "running", "complete", "error"] as const;

export type BulkTaskStatus = (typeof bulkTaskStatuses)[number];

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
  /** What validation found in the file. */
  errorCount: number;
  warningCount: number;
  /** How many operations may fail; null: any number. */
  maxFailures: number | null;
  /** Whether every warning about the file is an error. */
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
  /** From `startedAt` to `updatedAt`, turns of others included; null until operations were committed. */
  operationsPerSecond: number | null;
  /** What is left at that rate; null unless the task is running. */
  secondsLeft: number | null;
}

export interface BulkTaskRow extends ActionCounts {
  id: string;
  status: BulkTaskStatus;
  key: string;
  createdAt: string;
  startedAt: string | null;
  validatedAt: string | null;
  runningAt: string | null;
  progressedAt: string | null;
  endedAt: string | null;
  prunedAt: string | null;
  sha256: string | null;
  total: number | null;
  errorCount: number;
  warningCount: number;
  processed: number;
  succeeded: number;
  partial: number;
  failed: number;
  maxFailures: number | null;
  strict: boolean;
  error: string | null;
  errorName: string | null;
  stack: string | null;
  owner: string | null;
  /** The task of the same tenant that has the turn now, if any. */
  ahead: string | null;
}

/** Selects bulk tasks as `BulkTaskRow`; the table is `t`. */
export const selectBulkTasks = `
  SELECT t.id, t.status, t.key, t.created_at AS "createdAt", t.started_at AS "startedAt",
    t.validated_at AS "validatedAt", t.running_at AS "runningAt", t.progressed_at AS "progressedAt", t.ended_at AS "endedAt", t.pruned_at AS "prunedAt", t.sha256, t.total,
    t.error_count AS "errorCount", t.warning_count AS "warningCount", t.cursor_index AS processed,
    t.succeeded, t.partial, t.failed, ${actions.map((action) => `t.${action}`).join(", ")}, t.max_failures AS "maxFailures", t.strict, t.error, t.error_name AS "errorName", t.stack, t.owner,
    CASE WHEN t.status = 'started' THEN (
      SELECT a.id FROM bulk_tasks a
      WHERE a.tenant_id = t.tenant_id
        AND (a.status = 'running' OR a.status = 'started' AND a.start_order < t.start_order)
      ORDER BY a.start_order LIMIT 1
    ) END AS ahead
  FROM bulk_tasks t`;

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
  // Both are of the database's clock; a commit within its tick still has a rate.
  const seconds = Math.max(0.001, (Date.parse(progressedAt) - Date.parse(runningAt)) / 1000);
  const operationsPerSecond = processed / seconds;
  const left = status === "running" && total !== null ? (total - processed) / operationsPerSecond : null;
  return { operationsPerSecond, secondsLeft: left };
}

function waitingFor(row: BulkTaskRow): string | null {
  if (row.status === "pending") return "a call of startMassOperationBulkTask";
  if (row.status !== "started") return null;
  if (row.validatedAt === null)
    return row.owner === null ? "a runner to validate the file" : "the end of validation";
  return row.ahead === null ? "a runner" : `bulk task ${row.ahead}, which was started earlier`;
}
