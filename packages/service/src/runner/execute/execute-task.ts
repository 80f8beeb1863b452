import type { Logger } from "pino";
import type { ImageFetcher } from "../../media/fetch/image-fetcher.ts";
import type { ClaimedTask } from "../../storage/bulk-tasks/claimed-task.ts";
import { completeTask } from "../../storage/bulk-tasks/complete.ts";
import { failTask } from "../../storage/bulk-tasks/fail.ts";
import type { Database } from "../../storage/database.ts";
import type { WrittenRows } from "../../storage/statistics.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { TaskImages } from "../images/task-images.ts";
import { readValidated } from "../stretches.ts";
import type { TaskTelemetry } from "../telemetry.ts";
import { timeBudgets } from "./execute-chunks.ts";
import { type OperationSource, operationSource } from "./operation-source.ts";
import { Results } from "./results.ts";
import { type BatchContext, logUnexecuted, runBatch } from "./run-batch.ts";
import { failed } from "./run-operation.ts";

/** Most operations of one batch. */
const largestBatch = 1_000;
/** Operations of a task's first batch: small, so that its log begins soon. */
const firstBatch = 100;
/** Operations of a batch that are not made fewer because of the time it takes to write and commit them. */
const smallestBatch = 20;
/** How many operations are run one by one after a process ended twice at the same place. */
const cautiousStretch = largestBatch;
/** Claims without a commit in between after which the next operation is no longer tried. */
const deadlyAttempts = 3;

export interface RunnerServices {
  readonly database: Database;
  readonly store: ObjectStore;
  /** Fetches the images that operations upload. */
  readonly images: ImageFetcher;
  readonly logger: Logger;
  /** Length of a lease in milliseconds. */
  readonly lease: number;
  /** To be told of what each commit wrote (see `watchGrowth`). */
  readonly grown: (written: WrittenRows) => Promise<void>;
}

/** One stretch of work on a task by one runner. */
export interface Stint {
  /** Whether the runner is to leave the task at the next occasion: to stop, or because the task is no longer its own. */
  over(): boolean;
  /** The same for what has nothing to show for its turn yet: a turn alone is no reason to leave then. */
  cut(): boolean;
  /** Runs a batch when its turn among the tasks of this process has come. */
  inTurn<Result>(batch: () => Promise<Result>): Promise<Result>;
  readonly telemetry: TaskTelemetry;
}

/**
 * Pass two: executes a validated task batch by batch from its cursor, and ends it. Returns early, between two
 * batches, when the stint is over. Errors are those of the object store, of the database, and `LostClaim`.
 */
export async function runTask(
  services: RunnerServices,
  task: ClaimedTask,
  { over, cut, inTurn, telemetry }: Stint,
): Promise<void> {
  const { database, store, lease, grown } = services;
  const logger = services.logger.child({ task: task.taskId, tenant: task.tenantId });
  const results = new Results(task);
  await results.resume(database, task.cursorIndex);
  const images = new TaskImages({ fetcher: services.images, store, database, claim: task, logger });
  const from = { offset: task.cursorOffset, index: task.cursorIndex };
  const source = operationSource(readValidated(store, task), from, (operation) => images.foresee(operation));
  const failures = { left: (task.maxFailures ?? Number.POSITIVE_INFINITY) - task.failed };
  const halted = () => over() || failures.left < 0;
  const parts = { database, claim: task, results, logger, lease, grown, images, pace: { took: 0 } };
  const context: BatchContext = { ...parts, failures, halted, telemetry };
  try {
    const complete = await runOperations(context, source, task, { cut, inTurn });
    if (complete || failures.left < 0) await images.sweep();
    if (complete) await completeTask(database, task);
    else if (failures.left < 0) await endForFailures(database, task);
  } finally {
    await Promise.all([source.close(), images.close()]);
  }
}

/** True when every operation was executed, false when it was halted before. */
async function runOperations(
  context: BatchContext,
  source: OperationSource,
  task: ClaimedTask,
  { cut, inTurn }: Pick<Stint, "cut" | "inTurn">,
): Promise<boolean> {
  // Images that take longer than a turn would be begun again in each one, so the first batch of a turn is waited for.
  let halted = () => cut() || context.failures.left < 0;
  let cautious = task.attempts >= deadlyAttempts - 1 ? cautiousStretch : 0;
  let deadly = task.attempts >= deadlyAttempts;
  let size = firstBatch;
  for (;;) {
    const shown = await source.peek(cautious > 0 ? 1 : size);
    const operations = deadly ? shown : await context.images.ready(shown, halted);
    const [first] = operations;
    if (halted()) return false;
    if (first === undefined) return true;
    const batch = inTurn(() =>
      deadly ? logUnexecuted(context, first, endedItsProcess) : runBatch(context, operations),
    );
    // The next operations are read and parsed while the database works on these.
    const [done] = await Promise.all([batch, source.readAhead(2 * largestBatch)]);
    source.take(done);
    context.images.commit(first.index + done);
    if (done > 0) halted = context.halted;
    size = nextSize(context, done, done < operations.length ? done : size);
    deadly = false;
    cautious = Math.max(0, cautious - done);
  }
}

/**
 * A batch as large as its time allows, by how long so many operations took in the last one: what is loaded for operations
 * that there is no time for is loaded in vain. It is at most twice as large as what was tried with success. Not all of
 * the time is the operations' own, so that it gets smaller only down to some.
 */
function nextSize({ database, pace }: BatchContext, done: number, tried: number): number {
  const fits = Math.floor((done * timeBudgets[database.engine]) / Math.max(1, pace.took));
  return Math.max(1, Math.min(largestBatch, 2 * tried, Math.max(smallestBatch, fits)));
}

const endedItsProcess = failed(
  "InternalError",
  `This operation was not executed: the runner's process ended, or stood still for too long, ${deadlyAttempts - 1} times while it was executing it`,
);

async function endForFailures(database: Database, task: ClaimedTask): Promise<void> {
  await failTask(database, task, {
    error: `More than ${task.maxFailures} of the operations failed; the ones that follow were not attempted`,
    errorName: "TooManyFailures",
  });
}
