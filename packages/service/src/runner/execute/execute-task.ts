import { setTimeout } from "node:timers/promises";
import { completeTask } from "../../storage/bulk-tasks/complete.ts";
import { failTask } from "../../storage/bulk-tasks/fail.ts";
import { attemptsOf } from "../../storage/bulk-tasks/release.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import { readValidated } from "../stretches.ts";
import { deadlyAttempts, largestBatch } from "./batch-size.ts";
import { type OperationSource, operationSource } from "./operation-source.ts";
import { logUnexecuted, runBatch } from "./run-batch.ts";
import { failed } from "./run-operation.ts";
import type { TaskExecution } from "./task-execution.ts";

/**
 * Pass two: executes a validated task batch by batch from its cursor, and ends it; `inTurn` runs each batch. Returns
 * false when it was stopped, between two batches, before the task's end. Errors are those of the object store, of the
 * database, and `LostClaim`.
 */
export async function executeTask(execution: TaskExecution, inTurn: Scheduler["long"]): Promise<boolean> {
  const { services, task, results, images } = execution;
  const { database, store } = services;
  await results.resume(database, task.cursorIndex);
  const from = { offset: task.cursorOffset, index: task.cursorIndex };
  const source = operationSource(readValidated(store, task), from, (operations) =>
    images.prefetch(operations),
  );
  try {
    const isComplete = await executeOperations(execution, source, inTurn);
    const hasFailed = !isComplete && execution.failuresLeft < 0;
    if (isComplete || hasFailed) await images.sweep();
    if (isComplete) await completeTask(database, task);
    else if (hasFailed) await endForFailures(execution);
    return isComplete || hasFailed;
  } finally {
    await Promise.all([source.close(), images.close()]);
  }
}

/** Returns true when every operation was executed, false when it was stopped before. */
async function executeOperations(
  execution: TaskExecution,
  source: OperationSource,
  inTurn: Scheduler["long"],
): Promise<boolean> {
  const { images, batchSize } = execution;
  const { signal } = execution.stop;
  let isDeadly = await isStillDeadly(execution);
  for (;;) {
    const offered = await source.peek(batchSize.next);
    const operations = isDeadly ? offered : await images.ready(offered, signal);
    const [first] = operations;
    if (signal.aborted) return false;
    if (first === undefined) return true;
    const batch = inTurn(() =>
      isDeadly ? logUnexecuted(execution, first, endedItsProcess) : runBatch(execution, operations),
    );
    // The next operations are read and parsed while the database works on these.
    const [done] = await Promise.all([batch, source.readAhead(2 * largestBatch)]);
    source.take(done);
    batchSize.adapt(done, operations.length);
    isDeadly = false;
  }
}

/** Time in which runners that an outage interrupted say so (`forgiveAttempt`), in milliseconds: several back-offs. */
const forgivenessMs = 2_000;

/**
 * Returns true when the operation at the cursor has ended its process too often. After an outage a task may be claimed
 * again before the runner that lost it has said that the operation was not the cause.
 */
async function isStillDeadly({ services, task, stop }: TaskExecution): Promise<boolean> {
  if (task.attempts < deadlyAttempts) return false;
  await setTimeout(forgivenessMs, undefined, { signal: stop.signal }).catch(() => {}); // the caller sees the signal
  return (await attemptsOf(services.database, task)) >= deadlyAttempts;
}

const endedItsProcess = failed(
  "InternalError",
  "This operation was not executed: the runner's process ended, or stood still for too long, " +
    `${deadlyAttempts - 1} times while it was executing it`,
);

async function endForFailures({ services, task }: TaskExecution): Promise<void> {
  await failTask(services.database, task, {
    error: `More than ${task.maxFailures} of the operations failed; the ones that follow were not attempted`,
    errorName: "TooManyFailures",
  });
}
