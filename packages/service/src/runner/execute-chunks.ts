import type { Queries } from "../storage/database.ts";
import type { UnitOfWork } from "../storage/unit-of-work.ts";
import { type LogEntry, writeLogs } from "../tasks/logs.ts";
import type { RenderScope } from "../templates/index.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { PreparedOperation } from "./operation-source.ts";
import type { BatchContext } from "./run-batch.ts";
import { runOperation } from "./run-operation.ts";

/** Longest time that operations of one batch are executed for, in milliseconds; then what is done is committed. */
const timeBudget = 100;

/** Operations between two turns of the event loop, which sends what is waiting and hears of other tasks. */
const breath = 10;

interface BatchParts {
  readonly transaction: Queries;
  readonly unit: UnitOfWork;
  readonly tenant: Tenant;
  readonly scope: RenderScope;
}

/**
 * Executes operations in order, as many as the time allows, and writes their effects and log entries. That is done in
 * chunks: what one chunk wrote, and the check of its foreign keys, is the database's work while the next is executed.
 */
export async function executeChunks(
  context: BatchContext,
  parts: BatchParts,
  operations: readonly PreparedOperation[],
  chunkSize: number,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const sent: Promise<unknown>[] = [];
  const until = performance.now() + timeBudget;
  const failures = { ...context.failures };
  for (let more = true; more; ) {
    const chunk = operations.slice(entries.length, entries.length + chunkSize);
    const executed = await executeWithin({ until, failures }, context, parts, chunk);
    entries.push(...executed);
    more = entries.length < operations.length && performance.now() < until && failures.left >= 0;
    // Broken off before an operation whose image is not there.
    more &&= executed.length === chunk.length;
    const written = writeChunk(context, parts, executed, more);
    written.catch(() => {}); // it is awaited below, when the last chunk is on its way
    sent.push(written);
  }
  await Promise.all(sent);
  return entries;
}

async function executeWithin(
  { until, failures }: { until: number; failures: BatchContext["failures"] },
  { results, logger, images }: BatchContext,
  { unit, tenant, scope }: BatchParts,
  operations: readonly PreparedOperation[],
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (const operation of operations) {
    const now = new Date().toISOString();
    const entry = await runOperation({ unit, tenant, scope, logger, now, images, media: images }, operation);
    if (entry === undefined) break;
    results.stage(entry);
    entries.push(entry);
    if (entry.status === "failure") failures.left--;
    if (failures.left < 0 || performance.now() >= until) break;
    if (entries.length % breath === 0) await new Promise(setImmediate);
  }
  return entries;
}

/** Sends what a chunk wrote. The commit checks the foreign keys of the last chunk. */
function writeChunk(
  { claim }: BatchContext,
  { transaction, unit }: BatchParts,
  entries: readonly LogEntry[],
  more: boolean,
): Promise<unknown> {
  return Promise.all([
    unit.flush(),
    writeLogs(transaction, claim.tenantId, claim.taskId, entries),
    more && transaction.query("SET CONSTRAINTS ALL IMMEDIATE"),
    more && transaction.query("SET CONSTRAINTS ALL DEFERRED"),
  ]);
}
