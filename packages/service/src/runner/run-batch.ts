import type { Logger } from "pino";
import { backOff, rejectionOfDataError } from "../commands/execute.ts";
import { commands } from "../commands/registry.ts";
import type { Database, Queries } from "../storage/database.ts";
import { isConflict, isDataError } from "../storage/sql-states.ts";
import { UnitOfWork } from "../storage/unit-of-work.ts";
import { type Claim, changeClaimed, extendLease, holdClaim, whileHolding } from "../tasks/claim.ts";
import { type LogEntry, writeLogs } from "../tasks/logs.ts";
import type { RenderScope } from "../templates/index.ts";
import { tenantById } from "../tenants/find.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { PreparedOperation } from "./operation-source.ts";
import { wantRendered } from "./prefetch.ts";
import type { Results } from "./results.ts";
import { failed, runOperation } from "./run-operation.ts";

/** Longest time that operations of one batch are executed for, in milliseconds; then what is done is committed. */
const timeBudget = 100;

export interface BatchContext {
  readonly database: Database;
  readonly claim: Claim;
  readonly results: Results;
  readonly logger: Logger;
  /** Length of the lease that a commit extends the claim by, in milliseconds. */
  readonly lease: number;
}

/**
 * Executes the first of some operations in one transaction, commits their effects, log entries and the task's cursor
 * together, and returns how many that were (at least one).
 *
 * A conflict with another writer runs the batch again on fresh data until it passes. An error that the data of some
 * operation causes runs it again once, then the operations one by one, so that only the guilty one fails.
 * Throws `LostClaim` when another runner has taken the task over, and what the database throws when it is not there.
 */
export async function runBatch(
  context: BatchContext,
  operations: readonly PreparedOperation[],
): Promise<number> {
  for (let attempt = 0, dataErrors = 0; ; attempt++) {
    try {
      return await tryBatch(context, operations);
    } catch (error) {
      context.results.discard();
      if (isDataError(error)) {
        dataErrors++;
        if (dataErrors > 1 && operations.length === 1)
          return await logRefused(context, operations[0]!, error);
        if (dataErrors > 1) return await runOneByOne(context, operations);
      } else if (!isConflict(error)) throw error;
      await backOff(attempt);
    }
  }
}

async function runOneByOne(context: BatchContext, operations: readonly PreparedOperation[]): Promise<number> {
  for (const operation of operations) await runBatch(context, [operation]);
  return operations.length;
}

async function tryBatch(context: BatchContext, operations: readonly PreparedOperation[]): Promise<number> {
  const { database, claim, results } = context;
  const { entries, next } = await database.transaction(async (transaction) => {
    await holdClaim(transaction, claim);
    const tenant = await tenantById(transaction, claim.tenantId);
    const unit = new UnitOfWork(transaction, claim.tenantId);
    const scope = scopeOf(context, tenant);
    await results.foresee(transaction, (operations[0]?.index ?? 0) + operations.length);
    await unit.prefetch((want) => {
      const rendered = wantRendered(want, scope);
      for (const { intent, payload } of operations)
        commands[intent].keys?.(payload as never, rendered, tenant);
    });
    const entries = await executeWithin(timeBudget, context, { unit, tenant, scope }, operations);
    await unit.flush();
    await commitEntries(transaction, context, operations, entries);
    return { entries, next: (operations[0]?.index ?? 0) + entries.length };
  });
  results.commit(next);
  return entries.length;
}

async function executeWithin(
  budget: number,
  { results, logger }: BatchContext,
  parts: { unit: UnitOfWork; tenant: Tenant; scope: RenderScope },
  operations: readonly PreparedOperation[],
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const until = performance.now() + budget;
  for (const operation of operations) {
    const entry = await runOperation({ ...parts, logger, now: new Date().toISOString() }, operation);
    results.stage(entry);
    entries.push(entry);
    if (performance.now() >= until) break;
  }
  return entries;
}

/** The log entries, the cursor, the counters and the lease: one commit with the effects. */
async function commitEntries(
  transaction: Queries,
  { claim, lease }: BatchContext,
  operations: readonly PreparedOperation[],
  entries: readonly LogEntry[],
): Promise<void> {
  const last = operations[entries.length - 1];
  if (last === undefined) return;
  await writeLogs(transaction, claim.tenantId, claim.taskId, entries);
  const count = (status: LogEntry["status"]) => entries.filter((entry) => entry.status === status).length;
  await changeClaimed(
    transaction,
    claim,
    `cursor_index = $5, cursor_offset = $6, succeeded = succeeded + $7, partial = partial + $8, failed = failed + $9,
     attempts = 0, ${extendLease("$10")}`,
    [last.index + 1, last.end, count("success"), count("partial"), count("failure"), lease],
  );
}

/** Logs an operation that the database refused, twice and alone, as a failure. */
async function logRefused(
  context: BatchContext,
  operation: PreparedOperation,
  error: unknown,
): Promise<number> {
  const { statusCode, name, message } = rejectionOfDataError(error);
  return logUnexecuted(context, operation, failed(statusCode, name, message, null));
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
    command: null,
    startedAt,
    durationMs: 0,
  };
  await whileHolding(context.database, context.claim, async (transaction) => {
    await context.results.foresee(transaction, index + 1);
    await commitEntries(transaction, context, [operation], [entry]);
  });
  context.results.stage(entry);
  context.results.commit(index + 1);
  return 1;
}

function scopeOf({ results, claim }: BatchContext, tenant: Tenant): RenderScope {
  return {
    lookup: (name) => results.lookup(name),
    names: () => results.names(),
    helpers: {},
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
