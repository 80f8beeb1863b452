import type { Logger } from "pino";
import { TenantGone } from "../../errors.ts";
import { backOff } from "../../storage/back-off.ts";
import { isShort } from "../../storage/bulk-tasks/claim.ts";
import { type ClaimedTask, LostClaim } from "../../storage/bulk-tasks/claimed-task.ts";
import { failTask } from "../../storage/bulk-tasks/fail.ts";
import { passTurn } from "../../storage/bulk-tasks/pass-turn.ts";
import { forgiveAttempt, releaseClaim } from "../../storage/bulk-tasks/release.ts";
import { isOutage } from "../../storage/sql-states.ts";
import { ObjectStoreError, StoreUnavailable } from "../../uploads/object-store.ts";
import { type RunnerServices, runTask, type Stint } from "../execute/execute-task.ts";
import { type RunnerTelemetry, told } from "../telemetry.ts";
import { DeadlyPlace, readingAttempts, readingPlace } from "../validate/reading-place.ts";
import { type ValidationStint, validateTask } from "../validate/validate-task.ts";
import { keepLease, watchTurn } from "./claim-keeping.ts";
import type { Precedence } from "./scheduler.ts";

interface WorkOptions {
  readonly stopping: () => boolean;
  readonly telemetry: RunnerTelemetry;
  /** Milliseconds. */
  readonly turn: number;
  readonly precedence: Precedence;
}

/** Works on a claimed task until it ends, is given back or is lost. Never throws. */
export async function workOn(
  services: RunnerServices,
  task: ClaimedTask,
  { stopping, telemetry, turn: turnLength, precedence }: WorkOptions,
): Promise<void> {
  const logger = services.logger.child({ task: task.taskId, tenant: task.tenantId });
  const place = readingPlace(services, task);
  const lease = keepLease(services, task, logger, place);
  const turn = watchTurn(services, task, turnLength, logger);
  const cut = () => lease.lost() || stopping();
  const over = () => turn.over() || cut();
  const heard = telemetry.task(task);
  try {
    await told(heard, async () => {
      if (task.status === "started") await validate(services, task, { over, precedence, place });
      else await execute(services, task, { over, cut, telemetry: heard }, precedence);
      if (turn.over()) await passTurn(services.database, task);
      else if (over()) await releaseClaim(services.database, task);
    });
  } catch (error) {
    await endOrGiveBack(services, task, { logger, stopping }, error).catch((failure) => {
      if (failure instanceof LostClaim) logger.warn(failure.message);
      else logger.error({ err: failure }, "task given up");
    });
  } finally {
    lease.stop();
    turn.stop();
  }
}

async function validate(services: RunnerServices, task: ClaimedTask, stint: ValidationStint): Promise<void> {
  try {
    if (task.attempts > readingAttempts) throw new DeadlyPlace();
    await validateTask(services, task, stint);
  } catch (error) {
    if (!(error instanceof DeadlyPlace)) throw error;
    const times = `${readingAttempts} times at the same place while reading it`;
    await failTask(services.database, task, {
      error: `The file could not be validated: the runner's process ended ${times}, after byte ${stint.place.offset}`,
      errorName: "InternalError",
    });
  }
}

/** What is short goes first; the batches of what is long wait for it. */
async function execute(
  services: RunnerServices,
  task: ClaimedTask,
  stint: Omit<Stint, "inTurn">,
  precedence: Precedence,
): Promise<void> {
  if (!isShort(task)) return runTask(services, task, { ...stint, inTurn: precedence.long });
  const end = precedence.short();
  await runTask(services, task, { ...stint, inTurn: (batch) => batch() }).finally(end);
}

/**
 * What became of the file ends the task: it is gone or was replaced, and another try would find the same. Anything
 * else is trouble of the database or the store, or a defect: the claim stays until its lease ends, then any runner goes
 * on. Trouble does not count as an attempt, or an outage would cost the operation at the cursor, which nobody tried. Nor
 * does a claim lost to another runner, as on a machine that slept: who notices that was not ended by an operation. What
 * the server ended because it idled in its transaction does count: an operation may have kept the thread for so long.
 */
async function endOrGiveBack(
  { database }: RunnerServices,
  task: ClaimedTask,
  { logger, stopping }: Pick<WorkOptions, "stopping"> & { logger: Logger },
  error: unknown,
): Promise<void> {
  if (error instanceof ObjectStoreError)
    return failTask(database, task, {
      error: error.message,
      errorName: error.name,
      details: `The task was created for the object ${task.key} with the ETag ${task.etag}`,
    });
  if (error instanceof TenantGone) return logger.info("the task is dropped: its tenant was deleted");
  if (isOutage(error) && database.diskIsFull?.()) {
    logger.warn("task interrupted; it goes on when there is space on the disk");
    return afterOutage(() => releaseClaim(database, task), stopping);
  }
  const lost = error instanceof LostClaim;
  if (lost) logger.warn(error.message);
  else logger.error({ err: error }, "task interrupted; it is taken up again");
  if (lost || isOutage(error) || error instanceof StoreUnavailable)
    await afterOutage(() => forgiveAttempt(database, task), stopping);
}

/** Does something as soon as the database is there again. */
async function afterOutage(work: () => Promise<void>, stopping: () => boolean): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || stopping()) throw error;
      await backOff(attempt);
    }
  }
}
