import type { FileReport } from "@lading/schema";
import type { Logger } from "pino";
import type { ClaimedTask } from "../storage/bulk-tasks/claims/claimed-task.ts";
import type { TaskExecution } from "./execute/task-execution.ts";

/** Logs a claim, for validation or for execution from the cursor on. */
export function logClaim(logger: Logger, task: ClaimedTask): void {
  const { status, previousOwner, epoch, attempts, total, cursorIndex, failed } = task;
  const work = status === "running" ? "execution" : "validation";
  const progress = work === "execution" ? { total, executed: cursorIndex, failed } : {};
  const claim = { work, epoch, attempts, ...progress };
  if (previousOwner === null) logger.info(claim, "task claimed");
  else logger.warn({ ...claim, previousOwner }, "task taken over from a runner whose lease had expired");
}

export function logValidation(
  logger: Logger,
  { operations, errorCount: errors, warningCount: warnings }: FileReport,
  began: number,
): void {
  const counts = { operations, errors, warnings, ms: msSince(began) };
  if (errors === 0) logger.info(counts, "file validated; the task waits for its execution");
  else logger.info({ ...counts, status: "error" }, "task ended: its file has errors, nothing was executed");
}

/** Logs that a task's execution begins, or continues from the last claim. */
export function logBegin(logger: Logger, { total, cursorIndex }: ClaimedTask): void {
  if (cursorIndex === 0) logger.info({ total }, "execution begins");
  else logger.info({ total, executed: cursorIndex }, "execution continues");
}

/** Logs the end of this claim's work: the task ended, or is released. */
export function logEndOfTurn(
  { services, task, executed, failuresLeft, stop }: TaskExecution,
  hasEnded: boolean,
  began: number,
): void {
  const counts = {
    total: task.total,
    executed: task.cursorIndex + executed.all,
    failed: task.failed + executed.failed,
    executedInTurn: executed.all,
    ms: msSince(began),
  };
  const { logger } = services;
  if (!hasEnded)
    logger.info({ ...counts, reason: String(stop.signal.reason?.message) }, "execution interrupted");
  else if (failuresLeft < 0) logger.info(counts, "execution ended: too many operations failed");
  else logger.info(counts, "execution ended");
}

const msSince = (began: number) => Math.round(performance.now() - began);
