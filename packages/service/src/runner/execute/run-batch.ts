import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { rejectionOfDataError } from "../../commands/execute.ts";
import { backOff } from "../../storage/back-off.ts";
import { advanceCursor } from "../../storage/bulk-tasks/advance-cursor.ts";
import { type Claim, holdClaim, whileHolding } from "../../storage/bulk-tasks/claimed-task.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { ping } from "../../storage/session.ts";
import { dataErrorLimit, isConflict, isDataError } from "../../storage/sql-states.ts";
import type { WrittenRows } from "../../storage/statistics.ts";
import { type LogEntry, writeLogs } from "../../storage/task-details/operation-logs.ts";
import { tenantToBeAloneWith, tenantToWriteFor } from "../../storage/tenants/find.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { type Turn, TurnNeeded, turnAfterConflict, turnOf } from "../../storage/turns.ts";
import { UnitOfWork } from "../../storage/unit-of-work.ts";
import { fetchHelpers } from "../../template-helpers/index.ts";
import type { RenderScope } from "../../templates/index.ts";
import type { TaskImages } from "../images/task-images.ts";
import { type BatchTelemetry, type TaskTelemetry, told } from "../telemetry.ts";
import { executeChunks } from "./execute-chunks.ts";
import type { PreparedOperation } from "./operation-source.ts";
import type { Results } from "./results.ts";
import { failed } from "./run-operation.ts";

export interface BatchContext {
  readonly database: Database;
  readonly claim: Claim;
  readonly results: Results;
  readonly logger: Logger;
  /** Length of the lease that a commit extends the claim by, in milliseconds. */
  readonly lease: number;
  readonly grown: (written: WrittenRows) => Promise<void>;
  /** How many more operations may fail before the task ends; counted down by each commit, below 0 when it is passed. */
  readonly failures: { left: number };
  /**
   * How long the transaction of the last batch took, without what it waited for before, in milliseconds; and the turn
   * that it needed, as the next one will.
   */
  readonly pace: { took: number; turn?: Turn | undefined };
  /** Whether nothing more of the task is to be begun. */
  readonly halted: () => boolean;
  readonly images: TaskImages;
  readonly telemetry: TaskTelemetry;
}

/**
 * Executes the first of some operations in one transaction, commits their effects, log entries and the task's cursor
 * together, and returns how many that were: at least one, unless the first has to wait for an image that it uploads.
 *
 * A conflict with another writer runs the batch again on fresh data until it passes, in turn with others that met one,
 * and after the second with fewer and fewer operations. An error that the data of some operation causes runs it again
 * once, then the operations one by one, so that only the guilty one fails.
 * Throws `LostClaim` when another runner has taken the task over, and what the database throws when it is not there.
 */
export async function runBatch(
  context: BatchContext,
  operations: readonly PreparedOperation[],
): Promise<number> {
  const batch = context.telemetry.batch(operations.length);
  return told(batch, () => untilItPasses(context, operations, batch));
}

async function untilItPasses(
  context: BatchContext,
  operations: readonly PreparedOperation[],
  { retried }: BatchTelemetry,
): Promise<number> {
  for (let attempt = 0, dataErrors = 0, conflicts = 0; ; attempt++) {
    try {
      return await tryBatch(
        context,
        operations.slice(0, sizeAfter(conflicts, operations.length)),
        attempt > 0,
      );
    } catch (error) {
      context.results.discard();
      context.images.discard();
      if (error instanceof TurnNeeded) {
        context.pace.turn = error.turn;
        continue;
      }
      if (isDataError(error)) {
        dataErrors++;
        if (dataErrors > 1 && operations.length > 1) return await runOneByOne(context, operations);
        if (dataErrors >= dataErrorLimit(error)) return await logRefused(context, operations[0]!, error);
        retried("data");
      } else if (isConflict(error)) {
        conflicts++;
        retried("conflict");
      } else throw error;
      await backOff(attempt);
    }
  }
}

/**
 * How many operations are tried after so many conflicts: fewer and fewer, since a batch that others keep running into
 * would never pass, and a short one does.
 */
function sizeAfter(conflicts: number, size: number): number {
  return Math.max(1, Math.ceil(size / 4 ** Math.max(0, conflicts - 1)));
}

async function runOneByOne(context: BatchContext, operations: readonly PreparedOperation[]): Promise<number> {
  let done = 0;
  for (const operation of operations) {
    const executed = await runBatch(context, [operation]);
    done += executed;
    if (executed === 0 || context.halted()) break;
  }
  return done;
}

async function tryBatch(
  context: BatchContext,
  operations: readonly PreparedOperation[],
  again: boolean,
): Promise<number> {
  const { database, claim, results, grown, pace } = context;
  const { turn } = pace;
  const isServer = database.engine === "postgresql";
  let began = 0;
  const { entries, next, written } = await database.transaction(
    async (transaction) => {
      began = performance.now();
      const [, tenant] = await Promise.all([
        holdClaim(transaction, claim),
        (turn === "alone" ? tenantToBeAloneWith : tenantToWriteFor)(transaction, claim.tenantId),
        results.foresee(transaction, (operations[0]?.index ?? 0) + operations.length),
      ]);
      const unit = new UnitOfWork(transaction, claim.tenantId, isServer ? (turn ?? "none") : "alone");
      const scope = scopeOf(context, tenant, unit, transaction);
      const parts = { transaction, unit, tenant, scope };
      const entries = await executeChunks(context, parts, operations);
      await moveCursor(transaction, context, operations, entries);
      const written = unit.written().set("operation_logs", entries.length).set("bulk_tasks", 1);
      if (isServer) pace.turn = unit.neededTurn;
      return { entries, next: (operations[0]?.index ?? 0) + entries.length, written };
    },
    turn ? turnOf(turn, claim.tenantId) : again ? turnAfterConflict(claim.tenantId) : undefined,
  );
  pace.took = performance.now() - began;
  results.commit(next);
  await grown(written);
  context.telemetry.committed(entries);
  context.failures.left -= failuresAmong(entries);
  return entries.length;
}

/** The cursor, the counters and the lease, in the transaction of the effects and the log entries. */
async function moveCursor(
  transaction: Queries,
  { claim, lease }: BatchContext,
  operations: readonly PreparedOperation[],
  entries: readonly LogEntry[],
): Promise<void> {
  const last = operations[entries.length - 1];
  if (last === undefined) return;
  const { index, end: offset } = last;
  await advanceCursor(transaction, claim, { index: index + 1, offset, lease, executed: entries });
}

const failuresAmong = (entries: readonly LogEntry[]): number =>
  entries.filter(({ status }) => status === "failure").length;

/** Logs an operation that the database refused, twice and alone, as a failure. */
async function logRefused(
  context: BatchContext,
  operation: PreparedOperation,
  error: unknown,
): Promise<number> {
  const { name, message } = rejectionOfDataError(error);
  return logUnexecuted(context, operation, failed(name, message));
}

/** Logs an operation without executing it. */
export async function logUnexecuted(
  context: BatchContext,
  operation: PreparedOperation,
  outcome: ReturnType<typeof failed>,
): Promise<number> {
  const { index, ref, intent, text } = operation;
  const startedAt = new Date().toISOString();
  const entry: LogEntry = {
    index,
    ref,
    intent,
    input: text,
    ...outcome,
    rendered: null,
    startedAt,
    durationMs: 0,
  };
  await whileHolding(context.database, context.claim, async (transaction) => {
    await context.results.foresee(transaction, index + 1);
    await writeLogs(transaction, context.claim.tenantId, context.claim.taskId, [entry]);
    await moveCursor(transaction, context, [operation], [entry]);
  });
  context.results.stage(entry);
  context.results.commit(index + 1);
  context.telemetry.committed([entry]);
  context.failures.left -= failuresAmong([entry]);
  return 1;
}

/** How long templates are evaluated before the server hears that the transaction is alive, in milliseconds. */
const signOfLife = 1_000;

/** Has others have the thread, and the server not end the transaction because it idles meanwhile. */
function pauseIn({ database }: BatchContext, transaction: Queries): () => Promise<void> {
  let heard = performance.now();
  return async () => {
    await setImmediate();
    if (database.engine === "pglite" || performance.now() - heard < signOfLife) return;
    await ping(transaction);
    heard = performance.now();
  };
}

function scopeOf(context: BatchContext, tenant: Tenant, unit: UnitOfWork, transaction: Queries): RenderScope {
  const { results, claim, images } = context;
  return {
    lookup: (name) => results.lookup(name),
    names: () => results.names(),
    pause: pauseIn(context, transaction),
    helpers: { ...fetchHelpers({ unit, tenant }), upload: images.upload },
    defaults: {
      taskId: claim.taskId,
      tenantId: tenant.id,
      tenantIdentifier: tenant.identifier,
      rootItemId: tenant.rootItemId,
      languages: tenant.settings.languages.map(({ code }) => code),
      vatTypeIds: tenant.settings.vatTypes.map(({ id }) => id),
    },
  };
}
