import type { BulkTaskKind } from "@lading/schema/internal";
import { beginPlan } from "../storage/bulk-tasks/advance-cursor.ts";
import type { ClaimedTask } from "../storage/bulk-tasks/claims/claimed-task.ts";
import { failTask, type TaskFailure } from "../storage/bulk-tasks/end.ts";
import { removeLog } from "../storage/bulk-tasks/prune.ts";
import { chainOf, countedTasks } from "../storage/bulk-tasks/retries/retry-chain.ts";
import type { Database } from "../storage/database.ts";
import { firstIdAt } from "../storage/ids.ts";
import { withOverlay } from "../storage/overlay/overlay.ts";
import { retriedOperations } from "../tasks/retries/retried-operations.ts";
import { type ExecuteTurn, executeTask } from "./execute/execute-task.ts";
import { openFileWork, operationsOf } from "./execute/file-work.ts";
import { TaskExecution } from "./execute/task-execution.ts";
import { followPlan } from "./plan/follow-plan.ts";
import { planSink } from "./plan/plan-sink.ts";
import { plannedImages } from "./plan/planned-images.ts";
import type { PlanLimits } from "./services.ts";
import { Interrupted } from "./task-stop.ts";
import { openUndoWork } from "./undo/undo-work.ts";

/** Executes all operations of a file. With a plan, operations that would deviate from it fail. */
const run: ExecuteTurn = async (claimed, inTurn) => {
  const execution = new TaskExecution(claimed);
  const { tenantId, ofTask: plan } = claimed.task;
  const check = plan === null ? undefined : followPlan({ tenantId, taskId: plan });
  return executeTask(execution, await openFileWork(execution, operationsOf(execution), check), inTurn);
};

/**
 * Executes a file's operations, or an undo's, in an overlay, from the first, and writes their log entries. A plan
 * starts over when its runner dies.
 */
const plan: ExecuteTurn = async (claimed, inTurn) => {
  const { services, stop } = claimed;
  const { database, logger, planLimits: limits } = services;
  const { tenantId, ofTask } = claimed.task;
  const task = begun(claimed.task);
  const images = plannedImages(services, task);
  const nothing = (hasEnded: boolean) => ({
    execution: new TaskExecution({ ...claimed, task, images }),
    hasEnded,
  });
  const refusal = refusalOf(claimed.task, limits);
  if (refusal !== undefined) {
    await failTask(database, task, refusal);
    return nothing(true);
  }
  if (!(await startOver(database, task, stop.signal))) return nothing(false);
  const timer = setTimeout(() => stop.stop(new Interrupted("the plan took too long")), limits.time);
  try {
    return await withOverlay(database, { tenantId, logger }, async (overlay) => {
      const execution = new TaskExecution({ ...claimed, task, images, sink: planSink(overlay) });
      const work =
        ofTask === null ? openFileWork(execution, operationsOf(execution)) : openUndoWork(execution);
      const { hasEnded } = await executeTask(execution, await work, inTurn);
      return { execution, hasEnded: hasEnded || (await endedForTime(execution)) };
    });
  } finally {
    clearTimeout(timer);
  }
};

/** The task as if new: the overlay of an earlier attempt is gone, and no operation has ended its process. */
const begun = (task: ClaimedTask): ClaimedTask => ({
  ...task,
  ...{ cursorIndex: 0, cursorOffset: 0, failed: 0, attempts: 1 },
  keepsBefore: true,
});

function refusalOf({ total, attempts }: ClaimedTask, limits: PlanLimits): TaskFailure | undefined {
  if (total !== null && total > limits.operations)
    return {
      errorName: "PlanTooLarge",
      error:
        `There are ${total.toLocaleString("en")} operations; a plan can have ` +
        `${limits.operations.toLocaleString("en")}. Plan a part of them`,
    };
  if (attempts > limits.begins)
    return {
      errorName: "InternalError",
      error: `The plan was started ${limits.begins} times, and each time its runner crashed`,
    };
  return undefined;
}

/** Removes the log of an earlier attempt. Returns false when stopped early. */
async function startOver(database: Database, task: ClaimedTask, signal: AbortSignal): Promise<boolean> {
  for await (const _ of removeLog(database, task)) if (signal.aborted) return false;
  await beginPlan(database, task, firstIdAt(Date.now()));
  return true;
}

/** Ends a plan that exceeded its time limit. */
async function endedForTime({ services, task, stop }: TaskExecution): Promise<boolean> {
  const { reason } = stop.signal;
  if (!(reason instanceof Interrupted) || reason.reason !== "the plan took too long") return false;
  await failTask(services.database, task, {
    errorName: "PlanTimeout",
    error: `The plan took more than ${services.planLimits.time / 60_000} minutes. Plan a part of the operations`,
  });
  return true;
}

/**
 * Retries failed operations of earlier tasks in the retry chain. They may reference results of operations that are not
 * retried.
 */
const retry: ExecuteTurn = async (claimed, inTurn) => {
  const { services, task } = claimed;
  const chain = await chainOf(services.database, task.tenantId, task.taskId);
  const [counted, ...earlier] = countedTasks(chain);
  const execution = new TaskExecution({
    ...claimed,
    resultsOf: earlier.map(({ id }) => id),
    earlier: chain.slice(1).map(({ id }) => id),
  });
  const operations = retriedOperations(services, task, { include: counted?.include ?? [], earlier });
  return executeTask(execution, await openFileWork(execution, operations), inTurn);
};

/** Undoes the operations of another task, from the last to the first. */
const undo: ExecuteTurn = async (claimed, inTurn) => {
  const execution = new TaskExecution(claimed);
  return executeTask(execution, await openUndoWork(execution, { noteRemovedImages: true }), inTurn);
};

export const kinds: Readonly<Record<BulkTaskKind, ExecuteTurn>> = { run, plan, retry, undo };
