import { rejectionOfDataError } from "../../commands/execute.ts";
import { Rejection } from "../../errors.ts";
import { whileHolding } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import type { Queries } from "../../storage/database.ts";
import { OverlayNeeded } from "../../storage/overlay/overlay.ts";
import { retry } from "../../storage/retry.ts";
import { dataErrorLimit, isConflict, isDataError } from "../../storage/sql-states.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import { writeLogs } from "../../storage/task-details/write-logs.ts";
import { LockNeeded, locksAfterConflict, locksOf } from "../../storage/tenant-locks.ts";
import { type BatchTelemetry, withTelemetry } from "../telemetry.ts";
import { beginBatch } from "./batch.ts";
import { sizeAfterConflicts } from "./batch-size.ts";
import { executeChunks } from "./execute-chunks.ts";
import { moveCursor } from "./move-cursor.ts";
import { type NumberedOperation, numberAfter } from "./operation-source.ts";
import { failed } from "./run-operation.ts";
import type { ExecutedBatch } from "./sink.ts";
import type { TaskExecution } from "./task-execution.ts";
import type { Work } from "./work.ts";

/**
 * Executes the first of some operations in one transaction, committing their effects, log entries and the task's cursor
 * together. Returns the number committed: at least one, unless the first has to wait for an image that it uploads.
 *
 * A conflict with another writer reruns the batch on fresh data until it passes, in turn with other batches that had
 * one, and after the second conflict with fewer and fewer operations. An error caused by an operation's data reruns it
 * once, then runs the operations one by one, so that only the guilty one fails; so does a rejection by the work's
 * check, without the rerun.
 * Throws `LostClaim` when another runner has taken over the task, and the database's errors when it is unavailable.
 */
export async function runBatch(
  execution: TaskExecution,
  work: Work,
  operations: readonly NumberedOperation[],
): Promise<number> {
  const batch = execution.telemetry.batch(operations.length);
  return withTelemetry(batch, () => untilItPasses(execution, work, operations, batch));
}

async function untilItPasses(
  execution: TaskExecution,
  work: Work,
  operations: readonly NumberedOperation[],
  { retried }: BatchTelemetry,
): Promise<number> {
  let [dataErrors, conflicts] = [0, 0];
  let executed: ExecutedBatch;
  const attempt = (number: number) => {
    const tried = operations.slice(0, sizeAfterConflicts(conflicts, operations.length));
    return tryBatch(execution, work, tried, number > 0);
  };
  const afterFailure = (error: unknown) => {
    execution.rolledBack();
    if (error instanceof LockNeeded) {
      execution.transactionLock = error.lock;
      return "again";
    }
    if (error instanceof OverlayNeeded) return "again";
    if (error instanceof Rejection) return "throw";
    if (isConflict(error)) conflicts++;
    else if (!isDataError(error)) return "throw";
    else if (++dataErrors >= (operations.length > 1 ? 2 : dataErrorLimit(error))) return "throw";
    retried(isConflict(error) ? "conflict" : "data");
    return "back off";
  };
  try {
    executed = await retry(attempt, { afterFailure });
  } catch (error) {
    if (!(error instanceof Rejection || isDataError(error))) throw error;
    if (operations.length > 1) return await runOneByOne(execution, work, operations);
    return await logRefused(execution, work, operations[0]!, error);
  }
  await execution.sink.committed(execution, executed);
  const { entries, last, operations: done } = executed;
  execution.committed(entries, last ? numberAfter(last) : execution.cursor);
  return done;
}

async function runOneByOne(
  execution: TaskExecution,
  work: Work,
  operations: readonly NumberedOperation[],
): Promise<number> {
  let done = 0;
  for (const operation of operations) {
    const executed = await runBatch(execution, work, [operation]);
    done += executed;
    if (executed === 0 || execution.stop.signal.aborted) break;
  }
  return done;
}

async function tryBatch(
  execution: TaskExecution,
  work: Work,
  operations: readonly NumberedOperation[],
  again: boolean,
): Promise<ExecutedBatch> {
  const { task, batchSize, sink, transactionLock: lock } = execution;
  let began = 0;
  const batch = await sink.transaction(
    (transaction) => {
      began = performance.now();
      return executeIn(transaction, execution, work, operations);
    },
    lock ? locksOf(lock, task.tenantId) : again ? locksAfterConflict(task.tenantId) : undefined,
  );
  batchSize.transactionTook(performance.now() - began);
  return batch;
}

async function executeIn(
  transaction: Queries,
  execution: TaskExecution,
  work: Work,
  operations: readonly NumberedOperation[],
): Promise<ExecutedBatch> {
  const { services, sink } = execution;
  const [tenant] = await Promise.all([
    sink.begin(execution, transaction),
    work.begin(transaction, operations),
  ]);
  const batch = beginBatch(execution, transaction, tenant);
  const executed = await executeChunks(batch, work, operations);
  const done = { ...executed, last: operations[executed.operations - 1], written: batch.unit.written() };
  await sink.end(execution, transaction, done);
  if (services.database.engine === "postgresql") execution.transactionLock = batch.unit.neededLock;
  return done;
}

/** Logs an operation as failed, because it is refused even alone: by the database, or by its work's check. */
async function logRefused(
  execution: TaskExecution,
  work: Work,
  operation: NumberedOperation,
  error: unknown,
): Promise<number> {
  const rejection = error instanceof Rejection ? error : rejectionOfDataError(error);
  return logUnexecuted(execution, work, operation, failed(rejection));
}

/** Logs an operation without executing it. */
export async function logUnexecuted(
  execution: TaskExecution,
  work: Work,
  operation: NumberedOperation,
  outcome: ReturnType<typeof failed>,
): Promise<number> {
  const { services, task, cursor: first } = execution;
  const end = numberAfter(operation);
  const startedAt = new Date().toISOString();
  const entry: LogEntry = {
    ...work.factsOf(operation),
    ...{ rendered: null, ...outcome, startedAt, durationMs: 0 },
  };
  await whileHolding(services.database, task, async (transaction, progressedAt) => {
    execution.progressedAt = progressedAt;
    await work.begin(transaction, [operation]);
    await writeLogs(transaction, task, { first, end }, [entry]);
    await moveCursor(transaction, execution, { entries: [entry], operations: 1, last: operation });
  });
  work.logged(operation, entry);
  execution.committed([entry], end);
  return 1;
}
