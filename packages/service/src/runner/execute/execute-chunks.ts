import type { Database } from "../../storage/database.ts";
import { checkKeys, deferKeys } from "../../storage/session.ts";
import type { LogEntry, LogRange } from "../../storage/task-details/operation-logs.ts";
import { writeLogs } from "../../storage/task-details/write-logs.ts";
import type { Batch } from "./batch.ts";
import { type EventLoopTurns, eventLoopTurns } from "./event-loop-turns.ts";
import type { PreparedOperation } from "./operation-source.ts";
import { prefetchOperations } from "./prefetch.ts";
import { runOperation } from "./run-operation.ts";

/**
 * Operations of one chunk. A server works on a chunk while the next one is executed here; PGlite shares our thread, so
 * that it gains nothing from small ones.
 */
const chunkSizes: Record<Database["engine"], number> = { postgresql: 100, pglite: 1_000 };

/** Chunks for which rows are loaded ahead: it takes several queries, each of which waits for the writes before it. */
const chunksAhead = 5;

/**
 * Executes operations in order, as many as the batch's budget allows, and writes their effects and log entries. It
 * works in chunks: while one is executed, the database writes the effects of the one before, checks its foreign keys,
 * and loads the rows that the next ones need.
 */
export async function executeChunks(
  batch: Batch,
  operations: readonly PreparedOperation[],
): Promise<LogEntry[]> {
  const chunkSize = chunkSizes[batch.execution.services.database.engine];
  const chunks = Array.from({ length: Math.ceil(operations.length / chunkSize) }, (_, i) =>
    operations.slice(i * chunkSize, (i + 1) * chunkSize),
  );
  const background = backgroundWork();
  try {
    return await executeWhileWriting(batch, chunks, background);
  } finally {
    await background.end();
  }
}

interface BackgroundWork {
  /** Adds work that nothing awaits yet. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits for all of it, because the transaction takes no query after its end; throws the first failure. */
  end(): Promise<void>;
}

function backgroundWork(): BackgroundWork {
  const all: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  return {
    add: (work) => {
      all.push(work.catch((error) => failures.push(error)));
      return work;
    },
    end: async () => {
      await Promise.all(all);
      // The later failures follow from the first.
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function executeWhileWriting(
  batch: Batch,
  chunks: readonly (readonly PreparedOperation[])[],
  background: BackgroundWork,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const loads: Promise<void>[] = [];
  const turns = eventLoopTurns();
  let { cursor } = batch.execution;
  for (const [at, chunk] of chunks.entries()) {
    const chunksInTime = batch.budget.beginChunk();
    for (const next of chunks.slice(loads.length, at + 1 + Math.min(chunksAhead, chunksInTime)))
      loads.push(background.add(prefetchOperations(batch, next)));
    await loads[at];
    const executed = await executeChunk(batch, chunk, turns);
    entries.push(...executed);
    const more = batch.budget.endChunk() && executed.length === chunk.length && at + 1 < chunks.length;
    const range = { first: cursor, end: cursor + executed.length };
    cursor = range.end;
    background.add(writeChunk(batch, executed, range, more));
    if (!more) break;
  }
  return entries;
}

/** Executes the operations of a chunk, as many as the budget allows. */
async function executeChunk(
  batch: Batch,
  operations: readonly PreparedOperation[],
  turns: EventLoopTurns,
): Promise<LogEntry[]> {
  const { execution, budget } = batch;
  const entries: LogEntry[] = [];
  for (const operation of operations) {
    execution.results.begin(operation.index);
    const entry = await runOperation(batch, operation);
    if (entry === undefined) break;
    execution.results.stage(entry);
    entries.push(entry);
    if (!budget.allowsMoreAfter(entry)) break;
    if (turns.isDue()) await turns.take();
  }
  return entries;
}

/**
 * Sends the writes of a chunk, and has its foreign keys checked at once: transactions that leave the check to their
 * commits wait for each other there.
 */
function writeChunk(
  { execution, transaction, unit }: Batch,
  entries: readonly LogEntry[],
  range: LogRange,
  more: boolean,
): Promise<unknown> {
  return Promise.all([
    unit.flush(),
    writeLogs(transaction, execution.task, range, entries),
    checkKeys(transaction),
    more && deferKeys(transaction),
  ]);
}
