import { setTimeout } from "node:timers/promises";
import { Rejection } from "../../errors.ts";
import {
  attemptsOf,
  claimsThatCount,
  countAttempt,
  forgiveAttempt,
} from "../../storage/bulk-tasks/claims/attempts.ts";
import { completeTask, failTask } from "../../storage/bulk-tasks/end.ts";
import { attemptsAlone, deadlyAttempts, largestBatch } from "./batch-size.ts";
import type { NumberedOperation } from "./operation-source.ts";
import { logUnexecuted, runBatch } from "./run-batch.ts";
import { failed } from "./run-operation.ts";
import type { Claimed, TaskExecution } from "./task-execution.ts";
import type { Work } from "./work.ts";

/** Runs a batch when it is the task's turn. */
export type InTurn = <Result>(batch: () => Promise<Result>) => Promise<Result>;

interface ExecutedTurn {
  readonly execution: TaskExecution;
  /** False when it was stopped between two batches. */
  readonly hasEnded: boolean;
}

/** Executes a claimed task of some kind. */
export type ExecuteTurn = (claimed: Claimed, inTurn: InTurn) => Promise<ExecutedTurn>;

/**
 * Pass two: executes the work of a validated task batch by batch, closes it, and ends the task. Throws the errors of
 * the object store and the database, and `LostClaim`.
 */
export async function executeTask(
  execution: TaskExecution,
  work: Work,
  inTurn: InTurn,
): Promise<ExecutedTurn> {
  const ended = { execution, hasEnded: true };
  try {
    if (await endIfRefused(execution, work)) return ended;
    const isComplete = await executeOperations(execution, work, inTurn);
    const hasFailed = !isComplete && execution.failuresLeft < 0;
    if (isComplete || hasFailed) await work.finish();
    if (isComplete && (await endIfRefused(execution, work))) return ended;
    if (isComplete) await endAfterLast(execution);
    else if (hasFailed) await endForFailures(execution);
    return { execution, hasEnded: isComplete || hasFailed };
  } finally {
    await work.close();
  }
}

/** Ends a task in `error` if its work refuses; returns true if it did. */
async function endIfRefused({ services, task }: TaskExecution, work: Work): Promise<boolean> {
  const refusal = await work.refusal();
  if (refusal !== undefined) await failTask(services.database, task, refusal);
  return refusal !== undefined;
}

/** Returns true when every operation was executed, false when stopped early. */
async function executeOperations(execution: TaskExecution, work: Work, inTurn: InTurn): Promise<boolean> {
  const { batchSize } = execution;
  const { source } = work;
  const { signal } = execution.stop;
  let isDeadly = await isStillDeadly(execution);
  for (;;) {
    const offered = await source.peek(execution.room.operations);
    const operations = isDeadly ? offered : await work.ready(offered, signal);
    const [first] = operations;
    if (signal.aborted) return false;
    if (first === undefined) return true;
    const batch = inTurn(() =>
      isDeadly
        ? logUnexecuted(execution, work, first, endedItsProcess)
        : runCounted(execution, work, operations),
    );
    // Reads and parses the next operations while the database works on these.
    const [done] = await Promise.all([batch, source.readAhead(2 * largestBatch)]);
    source.take(done);
    batchSize.adapt(done, operations.length);
    isDeadly = false;
  }
}

/**
 * Runs a batch. After claims that ended without a commit, the operation at the cursor runs alone first, and only from
 * here on counts as an attempt: dying before, while starting or reading the file, isn't the operation's fault.
 */
async function runCounted(
  execution: TaskExecution,
  work: Work,
  operations: readonly NumberedOperation[],
): Promise<number> {
  const { services, task } = execution;
  const counts = task.attempts >= claimsThatCount && execution.executed.all === 0;
  if (!counts) return runBatch(execution, work, operations);
  await countAttempt(services.database, task);
  const done = await runBatch(execution, work, operations);
  // It waits for an image now, and starts over.
  if (done === 0) await forgiveAttempt(services.database, task);
  return done;
}

/** Time for runners interrupted by an outage to say so (`forgiveAttempt`), in milliseconds: several back-offs. */
const forgivenessMs = 2_000;

/**
 * Returns true when the operation at the cursor has ended its process too often. After an outage a task may be claimed
 * before the runner that lost it has reported that the operation was not the cause.
 */
async function isStillDeadly({ services, task, stop }: TaskExecution): Promise<boolean> {
  if (task.attempts < deadlyAttempts) return false;
  await setTimeout(forgivenessMs, undefined, { signal: stop.signal }).catch(() => {}); // the caller checks the signal
  return (await attemptsOf(services.database, task)) >= deadlyAttempts;
}

const endedItsProcess = failed(
  new Rejection(
    "InternalError",
    "This operation was not executed: the runner crashed or stalled " +
      `${attemptsAlone} times while executing this operation alone`,
  ),
);

/** Ends a task after its last operation: in `error` if validation counted another number of them. */
async function endAfterLast({ services, task, cursor }: TaskExecution): Promise<void> {
  if (cursor === task.total) return completeTask(services.database, task);
  await failTask(services.database, task, {
    error: `The file ended after ${cursor} operations; it had ${task.total} when it was validated`,
    errorName: "ObjectChanged",
  });
}

async function endForFailures({ services, task }: TaskExecution): Promise<void> {
  const stopped = `Stopped after more than ${task.maxFailures} ${task.maxFailures === 1 ? "failure" : "failures"}`;
  await failTask(services.database, task, {
    error: task.onFailure === null ? stopped : `${stopped}; its undo begins`,
    errorName: "TooManyFailures",
  });
}
