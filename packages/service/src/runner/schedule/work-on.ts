import { TenantGone } from "../../errors.ts";
import { forgiveAttempt } from "../../storage/bulk-tasks/claims/attempts.ts";
import { isShort } from "../../storage/bulk-tasks/claims/claim.ts";
import {
  type ClaimedTask,
  LostClaim,
  releaseClaim,
  whileHolding,
} from "../../storage/bulk-tasks/claims/claimed-task.ts";
import { failTask } from "../../storage/bulk-tasks/end.ts";
import { wakeRunners } from "../../storage/bulk-tasks/wake.ts";
import { retry, whenTransient } from "../../storage/retry.ts";
import { isOutage } from "../../storage/sql-states.ts";
import { ObjectStoreError, StoreUnavailable } from "../../uploads/object-store.ts";
import type { InTurn } from "../execute/execute-task.ts";
import { kinds } from "../kinds.ts";
import type { RunnerServices } from "../services.ts";
import { logBegin, logClaim, logEndOfTurn } from "../task-log.ts";
import { type Interrupted, TaskStop } from "../task-stop.ts";
import { type TaskTelemetry, withTelemetry } from "../telemetry.ts";
import {
  DeadlyPosition,
  type ReadingPosition,
  readingAttempts,
  readingPosition,
} from "../validate/reading-position.ts";
import { validateTask } from "../validate/validate-task.ts";
import { keepLease, watchTurn } from "./keep-claim.ts";

/** Works on a claimed task until it ends, is released or is lost. Never throws. */
export async function workOn(
  runner: RunnerServices,
  task: ClaimedTask,
  runnerStops: AbortSignal,
): Promise<void> {
  const logger = runner.logger.child({ task: task.taskId, tenant: task.tenantId });
  const services = { ...runner, logger };
  logClaim(logger, task);
  const stop = new TaskStop(runnerStops);
  const position = readingPosition(services, task);
  const stopRenewing = keepLease(services, task, position, (lost) => stop.stop(lost));
  const stopWatching = watchTurn(services, task, () => stop.turnHasPassed());
  const telemetry = services.telemetry.task(task);
  try {
    await withTelemetry(telemetry, async () => {
      const hasEnded =
        task.status === "running"
          ? await execute(services, task, stop, telemetry)
          : await validate(services, task, position, stop.signal);
      if (!hasEnded) await giveBack(services, task, stop.signal.reason);
    });
  } catch (error) {
    await endOrGiveBack(services, task, error, runnerStops).catch((failure) => {
      if (failure instanceof LostClaim) logger.warn(failure.message);
      else logger.error({ err: failure }, "task given up");
    });
  } finally {
    stopRenewing();
    stopWatching();
  }
}

/** Returns false when stopped before the end of the file. */
async function validate(
  services: RunnerServices,
  task: ClaimedTask,
  position: ReadingPosition,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    if (task.attempts > readingAttempts) throw new DeadlyPosition();
    return await validateTask(services, task, position, signal);
  } catch (error) {
    if (!(error instanceof DeadlyPosition)) throw error;
    const times = `${readingAttempts} times at the same position while reading it`;
    await failTask(services.database, task, {
      error: `The file could not be validated: the runner's process ended ${times}, after byte ${position.offset}`,
      errorName: "InternalError",
    });
    return true;
  }
}

/** Executes a task; batches of long ones wait for short ones. Returns false when stopped early. */
async function execute(
  services: RunnerServices,
  task: ClaimedTask,
  stop: TaskStop,
  telemetry: TaskTelemetry,
): Promise<boolean> {
  const { scheduler } = services;
  const began = performance.now();
  logBegin(services.logger, task);
  const end = isShort(task) ? scheduler.short() : undefined;
  const inTurn: InTurn = end ? (batch) => batch() : scheduler.long;
  const claimed = { services, task, stop, telemetry };
  const { execution, hasEnded } = await kinds[task.kind](claimed, inTurn).finally(end);
  logEndOfTurn(execution, hasEnded, began);
  return hasEnded;
}

/**
 * Releases an interrupted task, and wakes the runners: one has room now, or another process may continue while this one
 * stops. Both in one transaction: were the claim released by a wake-up that fails, the error would be mistaken for one
 * of an execution that still has the task. Throws the `LostClaim` that interrupted it.
 */
async function giveBack(
  { database }: RunnerServices,
  task: ClaimedTask,
  reason: Interrupted | LostClaim,
): Promise<void> {
  if (reason instanceof LostClaim) throw reason;
  await whileHolding(database, task, async (transaction) => {
    await releaseClaim(transaction, task);
    await wakeRunners(transaction);
  });
}

/**
 * Ends a task whose file is gone or was replaced: a retry would find the same. After any other error (an outage of the
 * database or the store, or a defect) the claim stays until its lease expires; then any runner continues.
 *
 * An outage doesn't count as an attempt, since the operation at the cursor was not tried. Nor does losing a claim to
 * another runner, as on a machine that slept. A transaction that the server ended for being idle does count: an
 * operation may have blocked the thread for that long.
 */
async function endOrGiveBack(
  { database, logger }: RunnerServices,
  task: ClaimedTask,
  error: unknown,
  runnerStops: AbortSignal,
): Promise<void> {
  if (error instanceof ObjectStoreError) {
    await failTask(database, task, {
      error: error.message,
      errorName: error.name,
      details: `The task was created for the object ${task.key} with the ETag ${task.etag}`,
    });
    return logger.info({ status: "error", errorName: error.name }, "task ended: its file cannot be read");
  }
  if (error instanceof TenantGone) return logger.info("the task is dropped: its tenant was deleted");
  if (isOutage(error) && database.diskIsFull?.()) {
    logger.warn("task interrupted; will resume when there is space on the disk");
    return afterOutage(() => releaseClaim(database, task), runnerStops);
  }
  const isLost = error instanceof LostClaim;
  if (isLost) logger.warn(error.message);
  else logger.error({ err: error }, "task interrupted; will be retried");
  if (isLost || isOutage(error) || error instanceof StoreUnavailable)
    await afterOutage(() => forgiveAttempt(database, task), runnerStops);
}

/** Runs work as soon as the database is available again. */
const afterOutage = (work: () => Promise<void>, runnerStops: AbortSignal): Promise<void> =>
  retry(work, { afterFailure: whenTransient((error) => isOutage(error) && !runnerStops.aborted) });
