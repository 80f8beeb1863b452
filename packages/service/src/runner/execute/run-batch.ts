import { rejectionOfDataError } from "../../commands/execute.ts";
import { advanceCursor } from "../../storage/bulk-tasks/advance-cursor.ts";
import { holdClaim, whileHolding } from "../../storage/bulk-tasks/claimed-task.ts";
import type { Queries } from "../../storage/database.ts";
import { retry } from "../../storage/retry.ts";
import { dataErrorLimit, isConflict, isDataError } from "../../storage/sql-states.ts";
import type { WrittenRows } from "../../storage/statistics.ts";
import { blocksFor } from "../../storage/task-details/log-blocks.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import { writeLogs } from "../../storage/task-details/write-logs.ts";
import { tenantToBeAloneWith, tenantToWriteFor } from "../../storage/tenants/find.ts";
import { TurnNeeded, turnAfterConflict, turnOf } from "../../storage/turns.ts";
import { type BatchTelemetry, withTelemetry } from "../telemetry.ts";
import { beginBatch } from "./batch.ts";
import { sizeAfterConflicts } from "./batch-size.ts";
import { executeChunks } from "./execute-chunks.ts";
import type { PreparedOperation } from "./operation-source.ts";
import { failed } from "./run-operation.ts";
import type { TaskExecution } from "./task-execution.ts";

/**
 * Executes the first of some operations in one transaction, commits their effects, log entries and the task's cursor
 * together, and returns how many that were: at least one, unless the first has to wait for an image that it uploads.
 *
 * A conflict with another writer runs the batch again on fresh data until it passes, in turn with other batches that
 * met one, and after the second with fewer and fewer operations. An error that the data of some operation causes runs
 * it again once, then the operations one by one, so that only the guilty one fails.
 * Throws `LostClaim` when another runner has taken the task over, and the database's errors when it is unavailable.
 */
export async function runBatch(
  execution: TaskExecution,
  operations: readonly PreparedOperation[],
): Promise<number> {
  const batch = execution.telemetry.batch(operations.length);
  return withTelemetry(batch, () => untilItPasses(execution, operations, batch));
}

async function untilItPasses(
  execution: TaskExecution,
  operations: readonly PreparedOperation[],
  { retried }: BatchTelemetry,
): Promise<number> {
  let [dataErrors, conflicts] = [0, 0];
  const attempt = (number: number) => {
    const tried = operations.slice(0, sizeAfterConflicts(conflicts, operations.length));
    return tryBatch(execution, tried, number > 0);
  };
  const afterFailure = (error: unknown) => {
    execution.rolledBack();
    if (error instanceof TurnNeeded) {
      execution.transactionTurn = error.turn;
      return "again";
    }
    if (isConflict(error)) conflicts++;
    else if (!isDataError(error)) return "throw";
    else if (++dataErrors >= (operations.length > 1 ? 2 : dataErrorLimit(error))) return "throw";
    retried(isConflict(error) ? "conflict" : "data");
    return "back off";
  };
  try {
    return await retry(attempt, { afterFailure });
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (operations.length > 1) return await runOneByOne(execution, operations);
    return await logRefused(execution, operations[0]!, error);
  }
}

async function runOneByOne(
  execution: TaskExecution,
  operations: readonly PreparedOperation[],
): Promise<number> {
  let done = 0;
  for (const operation of operations) {
    const executed = await runBatch(execution, [operation]);
    done += executed;
    if (executed === 0 || execution.stop.signal.aborted) break;
  }
  return done;
}

async function tryBatch(
  execution: TaskExecution,
  operations: readonly PreparedOperation[],
  again: boolean,
): Promise<number> {
  const { services, task, batchSize, transactionTurn: turn } = execution;
  let began = 0;
  const { entries, written } = await services.database.transaction(
    (transaction) => {
      began = performance.now();
      return executeIn(transaction, execution, operations);
    },
    turn ? turnOf(turn, task.tenantId) : again ? turnAfterConflict(task.tenantId) : undefined,
  );
  batchSize.transactionTook(performance.now() - began);
  await services.onRowsWritten(written);
  execution.committed(entries, execution.cursor + entries.length);
  return entries.length;
}

async function executeIn(
  transaction: Queries,
  execution: TaskExecution,
  operations: readonly PreparedOperation[],
): Promise<{ entries: LogEntry[]; written: WrittenRows }> {
  const { services, task, results, transactionTurn: turn } = execution;
  const [, tenant] = await Promise.all([
    holdClaim(transaction, task),
    (turn === "alone" ? tenantToBeAloneWith : tenantToWriteFor)(transaction, task.tenantId),
    results.prefetchLifetimes(transaction, (operations[0]?.index ?? 0) + operations.length),
  ]);
  const batch = beginBatch(execution, transaction, tenant);
  const entries = await executeChunks(batch, operations);
  await moveCursor(transaction, execution, operations, entries);
  const written = batch.unit
    .written()
    .set("operation_log_blocks", blocksFor(entries.length))
    .set("bulk_tasks", 1);
  if (services.database.engine === "postgresql") execution.transactionTurn = batch.unit.neededTurn;
  return { entries, written };
}

/** Writes the cursor, the counters and the lease, in the transaction of the effects and the log entries. */
async function moveCursor(
  transaction: Queries,
  { services, task, cursor: found }: TaskExecution,
  operations: readonly PreparedOperation[],
  entries: readonly LogEntry[],
): Promise<void> {
  const last = operations[entries.length - 1];
  if (last === undefined) return;
  const { index, end: offset } = last;
  const { lease } = services;
  await advanceCursor(transaction, task, { found, index: index + 1, offset, lease, executed: entries });
}

/** Logs an operation as a failure, because the database keeps refusing it on its own. */
async function logRefused(
  execution: TaskExecution,
  operation: PreparedOperation,
  error: unknown,
): Promise<number> {
  const { name, message } = rejectionOfDataError(error);
  return logUnexecuted(execution, operation, failed(name, message));
}

/** Logs an operation without executing it. */
export async function logUnexecuted(
  execution: TaskExecution,
  operation: PreparedOperation,
  outcome: ReturnType<typeof failed>,
): Promise<number> {
  const { services, task, results, cursor: first } = execution;
  const { index, ref, intent, text, place } = operation;
  const startedAt = new Date().toISOString();
  const operationFacts = { index, ref, intent, input: text, place, rendered: null };
  const entry: LogEntry = { ...operationFacts, ...outcome, startedAt, durationMs: 0 };
  await whileHolding(services.database, task, async (transaction) => {
    await results.prefetchLifetimes(transaction, index + 1);
    await writeLogs(transaction, task, { first, end: index + 1 }, [entry]);
    await moveCursor(transaction, execution, [operation], [entry]);
  });
  results.stage(entry);
  execution.committed([entry], index + 1);
  return 1;
}
