import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { isOutage } from "../storage/sql-states.ts";
import {
  type ClaimedTask,
  claimTask,
  failTask,
  forgiveAttempt,
  LostClaim,
  releaseClaim,
  renewClaim,
} from "../tasks/claim.ts";
import { wakeChannel } from "../tasks/wake.ts";
import { ObjectStoreError, StoreUnavailable } from "../uploads/object-store.ts";
import { type RunnerServices, runTask } from "./run-task.ts";
import { validateTask } from "./validate-task.ts";

/** How often a runner looks for tasks that no wake-up told it of, in milliseconds. */
const sweepInterval = 5_000;
/** How many times validation may end its process before the task is given up. */
const validationAttempts = 3;

export interface WorkerOptions extends RunnerServices {
  /** How many tasks are worked on side by side. */
  readonly slots: number;
}

/** Starts a runner: it claims and executes tasks until the returned function has stopped it. */
export async function startWorker(options: WorkerOptions): Promise<() => Promise<void>> {
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const active = new Set<Promise<void>>();
  let stopping = false;
  let claiming = false;
  let again = false;

  let claims = Promise.resolve();
  const fill = () => {
    again = true;
    if (!claiming) claims = claimTasks();
  };
  const claimTasks = async () => {
    claiming = true;
    try {
      while (again && !stopping && active.size < options.slots) {
        again = false;
        const task = await claimTask(options.database, owner, options.lease);
        if (task === undefined) continue;
        again = true;
        const work = workOn(options, task, () => stopping).finally(() => {
          active.delete(work);
          if (!stopping) fill();
        });
        active.add(work);
      }
    } catch (error) {
      options.logger.warn({ err: error }, "no task could be claimed; the next sweep tries again");
    } finally {
      claiming = false;
    }
  };

  const unlisten = await options.database.listen(wakeChannel, fill);
  const sweep = setInterval(fill, sweepInterval);
  fill();
  return async () => {
    stopping = true;
    clearInterval(sweep);
    await unlisten().catch((error) => options.logger.warn({ err: error }, "wake-ups were not cancelled"));
    // A claim that is under way is taken and given back: nobody would hold it until its lease ends.
    await claims;
    await Promise.all(active);
  };
}

/** Works on a claimed task until it ends, is given back or is lost. Never throws. */
async function workOn(options: WorkerOptions, task: ClaimedTask, stopping: () => boolean): Promise<void> {
  const { database, lease } = options;
  const logger = options.logger.child({ task: task.taskId, tenant: task.tenantId });
  // A renewal waits for the batch that is open: there is one at a time, or a long batch would use up the connections.
  let renewing = false;
  // Who has lost the claim by a takeover or a cancellation need not read on to find out.
  let lost = false;
  const halted = () => lost || stopping();
  const heartbeat = setInterval(() => {
    if (renewing) return;
    renewing = true;
    renewClaim(database, task, lease)
      .catch((error) => {
        if (error instanceof LostClaim) lost = true;
        else logger.warn({ err: error }, "the lease was not renewed");
      })
      .finally(() => {
        renewing = false;
      });
  }, lease / 3);
  try {
    if (task.status === "started") await validate(options, task, halted);
    else await runTask(options, task, halted);
    if (halted()) await releaseClaim(database, task).catch(ignoreLost);
  } catch (error) {
    if (error instanceof LostClaim) logger.warn(error.message);
    else
      await endOrGiveBack(options, task, error).catch((failure) =>
        logger.error({ err: failure }, "task given up"),
      );
  } finally {
    clearInterval(heartbeat);
  }
}

async function validate(options: WorkerOptions, task: ClaimedTask, stopping: () => boolean): Promise<void> {
  if (task.attempts <= validationAttempts) return validateTask(options, task, stopping);
  await failTask(options.database, task, {
    error: `The file could not be validated: the runner's process ended ${validationAttempts} times while reading it`,
    errorName: "InternalError",
    stack: null,
  });
}

/**
 * What became of the file ends the task: it is gone or was replaced, and another try would find the same. Anything
 * else is trouble of the database or the store, or a defect: the claim stays until its lease ends, then any runner goes on. Trouble
 * does not count as an attempt, or an outage would cost the operation at the cursor, which nobody tried.
 */
async function endOrGiveBack(
  { database, logger }: WorkerOptions,
  task: ClaimedTask,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ObjectStoreError)) {
    logger.error(
      { err: error, task: task.taskId, tenant: task.tenantId },
      "task interrupted; it is taken up again",
    );
    if (isOutage(error) || error instanceof StoreUnavailable) await forgiveAttempt(database, task);
    return;
  }
  await failTask(database, task, { error: error.message, errorName: error.name, stack: null });
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof LostClaim)) throw error;
}
