import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Claimable, claimTask, TenantRotation, workOf } from "../../storage/bulk-tasks/claims/claim.ts";
import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import { wakeChannel } from "../../storage/bulk-tasks/wake.ts";
import { DiskFull } from "../../storage/engines/disk-space.ts";
import { watchGrowth } from "../../storage/statistics.ts";
import { sweepFetched } from "../../tasks/fetched-images.ts";
import { type RunnerServices, planLimits as usualPlanLimits } from "../services.ts";
import { Interrupted } from "../task-stop.ts";
import { silentTelemetry } from "../telemetry.ts";
import { openScheduler } from "./scheduler.ts";
import { startAtDates } from "./start-at-dates.ts";
import { workOn } from "./work-on.ts";

/** Interval between polls for tasks whose wake-up was missed, in milliseconds. */
const sweepInterval = 5_000;
const defaultTurn = 5_000;
/**
 * Concurrent validations per slot. They have many slots of their own, because a validation is never preempted and short
 * files must not wait for long ones.
 */
const validationsPerSlot = 4;

type Optional = "turn" | "telemetry" | "planLimits";

export interface WorkerOptions
  extends Omit<RunnerServices, Optional | "scheduler" | "onRowsWritten">,
    Partial<Pick<RunnerServices, Optional>> {
  /** Concurrently executed tasks, plus one that is short or nearly done. Plans have their own slots. */
  readonly slots: number;
  /** Called when a task was started or has ended, in any process. */
  readonly onWake?: () => void;
  /** True while requests queue for the single connection. Default: never. */
  readonly busy?: () => boolean;
}

/** Starts a runner: it claims and executes tasks until the returned function stops it. */
export async function startWorker(options: WorkerOptions): Promise<() => Promise<void>> {
  const {
    telemetry = silentTelemetry,
    turn = defaultTurn,
    planLimits = usualPlanLimits,
    busy = () => false,
    onWake,
    slots,
    ...rest
  } = options;
  const { database, logger, lease } = rest;
  const scheduler = openScheduler({ oneAtATime: database.engine === "pglite", busy });
  const onRowsWritten = watchGrowth(database, logger);
  const stopping = new AbortController();
  const services = { ...rest, telemetry, turn, planLimits, scheduler, onRowsWritten };
  const work = claimAndWork(services, slots, stopping.signal);

  // A task may have ended (cancelled, for example) after its runner died.
  await sweepFetched(options).catch((error) =>
    logger.warn({ err: error }, "orphaned images will be removed at the next start"),
  );
  const interval = Math.min(sweepInterval, lease / 2);
  const dates = startAtDates(database, logger, interval);
  const look = () => {
    work.claim();
    dates.look();
  };
  const unlisten = await database.listen(wakeChannel, () => {
    look();
    onWake?.();
  });
  // An expiring lease wakes no runner, so runners with short leases poll more often.
  const sweep = setInterval(look, interval);
  look();
  return async () => {
    stopping.abort(new Interrupted("the runner is stopping"));
    clearInterval(sweep);
    await unlisten().catch((error) => logger.warn({ err: error }, "wake-ups were not cancelled"));
    await Promise.all([dates.stop(), work.done()]);
  };
}

interface Work {
  /** Claims and works on as many tasks as there is room for; repeats whenever one is done. */
  claim(): void;
  /** Waits until the claimed tasks have ended or were released. Call it when the runner is stopping. */
  done(): Promise<void>;
}

function claimAndWork(services: RunnerServices, slots: number, stopping: AbortSignal): Work {
  const { database, lease, logger } = services;
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const active = new Map<Promise<void>, ClaimedTask>();
  const rotation = new TenantRotation();
  let claims = Promise.resolve();
  let claiming = false;
  let again = false;

  const claim = () => {
    again = true;
    if (!claiming) claims = claimTasks();
  };
  const claimTasks = async () => {
    claiming = true;
    try {
      while (again && !stopping.aborted) {
        again = false;
        const room = claimable([...active.values()], slots);
        const task = room && (await claimTask(database, owner, lease, room, rotation));
        if (task === undefined) continue;
        again = true;
        const work = workOn(services, task, stopping).finally(() => {
          active.delete(work);
          if (!stopping.aborted) claim();
        });
        active.set(work, task);
      }
    } catch (error) {
      if (!(error instanceof DiskFull)) logger.warn({ err: error }, "claiming tasks failed; retrying");
    } finally {
      claiming = false;
    }
  };
  const done = async () => {
    // Release a claim in progress; otherwise no runner could take the task until its lease expires.
    await claims;
    await Promise.all(active.keys());
  };
  return { claim, done };
}

/** Concurrent plans, plus a short one: each has its own connection, and none is preempted. */
const planSlots = 1;

/**
 * The tasks a runner with `active` tasks has room for, if any: any task while a slot is free, then one more short one,
 * so that a few operations never wait for a long task.
 */
function claimable(active: readonly ClaimedTask[], slots: number): Claimable | undefined {
  const taken = (work: keyof Claimable) => active.filter((task) => workOf(task) === work).length;
  const execute = roomFor(taken("execute"), slots);
  const plan = roomFor(taken("plan"), planSlots);
  const validate = taken("validate") < slots * validationsPerSlot;
  return execute === "none" && plan === "none" && !validate ? undefined : { execute, plan, validate };
}

const roomFor = (taken: number, slots: number) =>
  taken < slots ? "any" : taken === slots ? "short" : "none";
