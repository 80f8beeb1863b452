import type { Database } from "../../storage/database.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import type { Batch } from "./batch.ts";
import { type EventLoopYield, eventLoopYield } from "./event-loop-yield.ts";
import { type NumberedOperation, numberAfter } from "./operation-source.ts";
import type { Executed } from "./sink.ts";
import type { Work } from "./work.ts";

/**
 * Operations per chunk. A server works on a chunk while the next one is executed here; PGlite shares our thread, so it
 * gains nothing from small ones.
 */
const chunkSizes: Record<Database["engine"], number> = { postgresql: 100, pglite: 1_000 };

/** Chunks to prefetch rows for: that takes several queries, each of which waits for the writes before it. */
const chunksAhead = 5;

/**
 * Executes operations in order, as many as the batch's budget allows, and writes their effects and log entries. Works
 * in chunks: while one is executed, the database writes the effects of the previous one, checks its foreign keys, and
 * loads the rows of the next ones.
 */
export async function executeChunks(
  batch: Batch,
  work: Work,
  operations: readonly NumberedOperation[],
): Promise<Executed> {
  const chunkSize = chunkSizes[batch.execution.services.database.engine];
  const chunks = Array.from({ length: Math.ceil(operations.length / chunkSize) }, (_, i) =>
    operations.slice(i * chunkSize, (i + 1) * chunkSize),
  );
  const background = backgroundWork();
  try {
    return await executeWhileWriting(batch, work, chunks, background);
  } finally {
    await background.end();
  }
}

interface BackgroundWork {
  /** Adds work that nothing awaits yet. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits for all of it, because the transaction takes no query after its end; throws the first-added failure. */
  end(): Promise<void>;
}

function backgroundWork(): BackgroundWork {
  const all: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  return {
    add: (work) => {
      const at = all.length;
      all.push(
        work.catch((error) => {
          failures[at] = error;
        }),
      );
      return work;
    },
    end: async () => {
      await Promise.all(all);
      // The later failures follow from the first.
      const first = failures.find((failure) => failure !== undefined);
      if (first !== undefined) throw first;
    },
  };
}

async function executeWhileWriting(
  batch: Batch,
  work: Work,
  chunks: readonly (readonly NumberedOperation[])[],
  background: BackgroundWork,
): Promise<Executed> {
  const entries: LogEntry[] = [];
  const loads: Promise<void>[] = [];
  const eventLoop = eventLoopYield();
  let { cursor } = batch.execution;
  let done = 0;
  for (const [at, chunk] of chunks.entries()) {
    const chunksInTime = batch.budget.beginChunk();
    for (const next of chunks.slice(loads.length, at + 1 + Math.min(chunksAhead, chunksInTime)))
      loads.push(background.add(work.prefetch(batch, next)));
    await loads[at];
    const executed = await executeChunk(batch, work, chunk, eventLoop);
    entries.push(...executed.entries);
    const more = batch.budget.endChunk() && executed.operations === chunk.length && at + 1 < chunks.length;
    done += executed.operations;
    const last = chunk[executed.operations - 1];
    const range = { first: cursor, end: last ? numberAfter(last) : cursor };
    cursor = range.end;
    const { execution, transaction, unit } = batch;
    background.add(work.check(batch));
    background.add(
      execution.sink.writeChunk({ execution, transaction, unit, entries: executed.entries, range }),
    );
    if (!more) break;
  }
  return { operations: done, entries };
}

/** Executes the operations of a chunk, as many as the budget allows. */
async function executeChunk(
  batch: Batch,
  work: Work,
  operations: readonly NumberedOperation[],
  eventLoop: EventLoopYield,
): Promise<Executed> {
  const entries: LogEntry[] = [];
  let executed = 0;
  for (const operation of operations) {
    const entry = await work.execute(batch, operation);
    if (entry === undefined) break;
    executed++;
    if (entry !== "skipped") entries.push(entry);
    if (entry !== "skipped" && !batch.budget.allowsMoreAfter(entry)) break;
    if (eventLoop.isDue()) await eventLoop.yield();
  }
  return { operations: executed, entries };
}
