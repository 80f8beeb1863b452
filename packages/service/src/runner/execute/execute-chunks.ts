import type { Database, Queries } from "../../storage/database.ts";
import { checkKeys, deferKeys } from "../../storage/session.ts";
import { type LogEntry, writeLogs } from "../../storage/task-details/operation-logs.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { UnitOfWork } from "../../storage/unit-of-work.ts";
import { lengthOf } from "../../tasks/rendered.ts";
import type { RenderScope } from "../../templates/index.ts";
import type { PreparedOperation } from "./operation-source.ts";
import { prefetch } from "./prefetch.ts";
import type { BatchContext } from "./run-batch.ts";
import { runOperation } from "./run-operation.ts";

/**
 * How long a batch is to take, in milliseconds. Its size is chosen by how long the one before took; operations that take
 * longer than they did then are executed for so long at most, and what is done is committed. PGlite is one connection,
 * which everybody else waits for meanwhile.
 */
export const timeBudgets: Record<Database["engine"], number> = { postgresql: 200, pglite: 40 };

/**
 * Operations of one chunk. A server works on a chunk while the next one is executed here; PGlite shares our thread, so
 * that it gains nothing from small ones.
 */
const chunkSizes: Record<Database["engine"], number> = { postgresql: 100, pglite: 1_000 };

/** How many chunks ahead rows are loaded: what they refer to takes several questions, each behind what is being written. */
const chunksAhead = 5;

/**
 * After so many UTF-16 units that templates rendered to a batch ends: they are in memory until they are written, several
 * times over, and are written in one turn. Few bytes of a file may render to 4 MiB.
 */
export const renderedAtOnce = 8 * 1024 ** 2;

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
 * chunks: while one is executed, the database writes what the one before did, checks its foreign keys, and loads the
 * rows that the next ones need.
 */
export async function executeChunks(
  context: BatchContext,
  parts: BatchParts,
  operations: readonly PreparedOperation[],
): Promise<LogEntry[]> {
  const chunkSize = chunkSizes[context.database.engine];
  const chunks = Array.from({ length: Math.ceil(operations.length / chunkSize) }, (_, i) =>
    operations.slice(i * chunkSize, (i + 1) * chunkSize),
  );
  const work = workUnderWay();
  try {
    return await executeWhileWriting(work, context, parts, chunks);
  } finally {
    await work.end();
  }
}

interface WorkUnderWay {
  /** Takes note of work that nobody waits for yet. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits for all of it, since nothing may be asked of the transaction after its end; throws what failed first. */
  end(): Promise<void>;
}

function workUnderWay(): WorkUnderWay {
  const all: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  return {
    add: (work) => {
      all.push(work.catch((error) => failures.push(error)));
      return work;
    },
    end: async () => {
      await Promise.all(all);
      // What comes after the first failure is refused because of it.
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function executeWhileWriting(
  work: WorkUnderWay,
  context: BatchContext,
  parts: BatchParts,
  chunks: readonly (readonly PreparedOperation[])[],
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const until = performance.now() + timeBudgets[context.database.engine];
  const failures = { ...context.failures };
  const needs = { ...parts, images: context.images };
  const loads: Promise<void>[] = [];
  let took = 0;
  for (const [at, chunk] of chunks.entries()) {
    const started = performance.now();
    const inTime = took === 0 ? chunksAhead : Math.max(0, Math.floor((until - started) / took));
    for (const next of chunks.slice(loads.length, at + 1 + Math.min(chunksAhead, inTime)))
      loads.push(work.add(prefetch(needs, next)));
    await loads[at];
    const executed = await executeWithin({ until, failures }, context, parts, chunk);
    entries.push(...executed);
    took = performance.now() - started;
    const more =
      executed.length === chunk.length &&
      failures.left >= 0 &&
      started + took < until &&
      at + 1 < chunks.length;
    work.add(writeChunk(context, parts, executed, more));
    if (!more) break;
  }
  return entries;
}

async function executeWithin(
  { until, failures }: { until: number; failures: BatchContext["failures"] },
  { results, logger, images }: BatchContext,
  { unit, tenant, scope }: BatchParts,
  operations: readonly PreparedOperation[],
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  let rendered = 0;
  for (const operation of operations) {
    const now = new Date().toISOString();
    results.begin(operation.index);
    const entry = await runOperation({ unit, tenant, scope, logger, now, images, media: images }, operation);
    if (entry === undefined) break;
    results.stage(entry);
    entries.push(entry);
    if (entry.status === "failure") failures.left--;
    rendered += lengthOf(entry.rendered);
    if (rendered >= renderedAtOnce) break;
    if (failures.left < 0 || performance.now() >= until) break;
    if (entries.length % breath === 0) await new Promise(setImmediate);
  }
  return entries;
}

/** Sends what a chunk wrote, and has its keys checked at once: writers that leave that to their commits wait for each other there. */
function writeChunk(
  { claim }: BatchContext,
  { transaction, unit }: BatchParts,
  entries: readonly LogEntry[],
  more: boolean,
): Promise<unknown> {
  return Promise.all([
    unit.flush(),
    writeLogs(transaction, claim.tenantId, claim.taskId, entries),
    checkKeys(transaction),
    more && deferKeys(transaction),
  ]);
}
