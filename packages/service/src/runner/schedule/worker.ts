import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Claimable, claimTask, newTurns } from "../../storage/bulk-tasks/claim.ts";
import type { ClaimedTask } from "../../storage/bulk-tasks/claimed-task.ts";
import { wakeChannel } from "../../storage/bulk-tasks/wake.ts";
import { DiskFull } from "../../storage/disk-space.ts";
import { watchGrowth } from "../../storage/statistics.ts";
import { sweepFetched } from "../../tasks/fetched-images.ts";
import type { RunnerServices } from "../execute/execute-task.ts";
import { type RunnerTelemetry, silentTelemetry } from "../telemetry.ts";
import { openPrecedence } from "./scheduler.ts";
import { workOn } from "./work-on.ts";

/** How often a runner looks for tasks that no wake-up told it of, in milliseconds. */
const sweepInterval = 5_000;
const defaultTurn = 5_000;
/**
 * Validations at once, for each slot. They have slots of their own, and many: a validation is never interrupted, and
 * short files must not wait for long ones.
 */
const validationsPerSlot = 4;

export interface WorkerOptions extends Omit<RunnerServices, "grown"> {
  /** How many tasks are executed side by side, besides one that is nearly done or short. */
  readonly slots: number;
  /** How long a task is executed before it makes way for others that wait, in milliseconds. Default 5,000. */
  readonly turn?: number;
  /** Whether somebody waits for the database, where it does one thing at a time. Default: nobody does. */
  readonly busy?: () => boolean;
  /** Hears of what is done. Default: nobody does. */
  readonly telemetry?: RunnerTelemetry;
}

/** Starts a runner: it claims and executes tasks until the returned function has stopped it. */
export async function startWorker(options: WorkerOptions): Promise<() => Promise<void>> {
  const { telemetry = silentTelemetry, turn = defaultTurn, busy = () => false, ...given } = options;
  const precedence = openPrecedence({ oneAtATime: given.database.engine === "pglite", busy });
  const services = { ...given, grown: watchGrowth(given.database, given.logger) };
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const active = new Map<Promise<void>, ClaimedTask["status"]>();
  const turns = newTurns();
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
      while (again && !stopping) {
        again = false;
        const wanted = claimable([...active.values()], options.slots);
        const task = wanted && (await claimTask(options.database, owner, options.lease, wanted, turns));
        if (task === undefined) continue;
        again = true;
        const how = { stopping: () => stopping, telemetry, turn, precedence };
        const work = workOn(services, task, how).finally(() => {
          active.delete(work);
          if (!stopping) fill();
        });
        active.set(work, task.status);
      }
    } catch (error) {
      if (!(error instanceof DiskFull))
        options.logger.warn({ err: error }, "no task could be claimed; the next sweep tries again");
    } finally {
      claiming = false;
    }
  };

  // A task may have ended when its runner was dead already.
  await sweepFetched(options).catch((error) =>
    options.logger.warn({ err: error }, "images that were stored in vain are swept at the next start"),
  );
  const unlisten = await options.database.listen(wakeChannel, fill);
  // A lease that ends wakes nobody, so short leases are looked for more often.
  const sweep = setInterval(fill, Math.min(sweepInterval, options.lease / 2));
  fill();
  return async () => {
    stopping = true;
    clearInterval(sweep);
    await unlisten().catch((error) => options.logger.warn({ err: error }, "wake-ups were not cancelled"));
    // A claim that is under way is taken and given back: nobody would hold it until its lease ends.
    await claims;
    await Promise.all(active.keys());
  };
}

/**
 * What a runner that works on `active` has room for, if anything: any task while a slot is free, and then one more that
 * is short, so that a few operations never wait for a turn of many.
 */
function claimable(active: readonly ClaimedTask["status"][], slots: number): Claimable | undefined {
  const executing = active.filter((status) => status === "running").length;
  const execute = executing < slots ? "any" : executing === slots ? "short" : "none";
  const validate = active.length - executing < slots * validationsPerSlot;
  return execute === "none" && !validate ? undefined : { execute, validate };
}
