import { claimsThatCount } from "../../storage/bulk-tasks/claims/attempts.ts";
import type { Database } from "../../storage/database.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import { lengthOf } from "../../tasks/rendered.ts";

/** Most operations of one batch. */
export const largestBatch = 1_000;
/** Operations of a task's first batch: few, so that its log begins soon. */
const firstBatch = 100;
/** Fewest operations to which slowness shrinks a batch: some of its time goes into writing and committing. */
const smallestBatch = 20;

/**
 * Time that a batch may take, in milliseconds. Its size is chosen by how long the one before took; if its operations
 * take longer than those did, it ends after this time and commits what is done. PGlite is a single connection: all
 * other callers wait meanwhile.
 */
const timeBudgets: Record<Database["engine"], number> = { postgresql: 200, pglite: 40 };

/**
 * A batch ends after so many UTF-16 units that the operations of one chunk rendered to, and that the rows had which
 * they wrote: they are in memory, several times over, until the chunk is written. A few bytes of a file may render to 4
 * MiB, or publish thousands of items.
 */
export const charactersAtOnce = 8 * 1024 ** 2;

/** Number of times that an operation is executed alone before it is given up, if its process ends each time. */
export const attemptsAlone = 5;
/** Number of attempts, as `ClaimedTask` counts them, after which the next operation is not tried again. */
export const deadlyAttempts = claimsThatCount + attemptsAlone;
/** Number of operations that are run one by one after two claims have ended without a commit. */
const operationsAlone = largestBatch;

/** Decides how many operations the next batch of a task is offered. */
export class BatchSize {
  readonly #budgetMs: number;
  #size = firstBatch;
  /** Time that the last transaction took, in milliseconds. */
  #tookMs = 0;
  /** Number of operations that are still to be run one by one. */
  #alone: number;

  constructor(engine: Database["engine"], attempts: number) {
    this.#budgetMs = timeBudgets[engine];
    this.#alone = attempts >= claimsThatCount ? operationsAlone : 0;
  }

  /** Operations to offer to the next batch. */
  get next(): number {
    return this.#alone > 0 ? 1 : this.#size;
  }

  /** Notes how long a transaction took, without the wait for its beginning. */
  transactionTook(milliseconds: number): void {
    this.#tookMs = milliseconds;
  }

  /**
   * Adapts the size after a batch that committed `done` of the operations that it was `offered`: as many as fit in the
   * time, by how long these took, since rows are loaded in vain for operations that there is no time for. It grows to
   * at most twice what has succeeded, and shrinks to a minimum, because not all of the time is spent on operations.
   */
  adapt(done: number, offered: number): void {
    const succeeded = done < offered ? done : this.#size;
    const fits = Math.floor((done * this.#budgetMs) / Math.max(1, this.#tookMs));
    this.#size = Math.max(1, Math.min(largestBatch, 2 * succeeded, Math.max(smallestBatch, fits)));
    this.#alone = Math.max(0, this.#alone - done);
  }
}

/**
 * Returns how many of the offered operations to try after so many conflicts: fewer and fewer, because a large batch
 * that keeps meeting other writers would never pass, and a small one does.
 */
export function sizeAfterConflicts(conflicts: number, offered: number): number {
  return Math.max(1, Math.ceil(offered / 4 ** Math.max(0, conflicts - 1)));
}

/** Decides, while a batch is executed, when it ends before all of its operations are done. */
export class BatchBudget {
  readonly #endsAt: number;
  #failuresLeft: number;
  #characters = 0;
  #chunkBegan = 0;
  #chunkTookMs = 0;

  /** `failuresLeft` operations may fail; the batch ends with the next one that does. */
  constructor(engine: Database["engine"], failuresLeft: number) {
    this.#endsAt = performance.now() + timeBudgets[engine];
    this.#failuresLeft = failuresLeft;
  }

  /** Begins a chunk. Returns how many more like the last one there is time for; before the first, any number. */
  beginChunk(): number {
    this.#chunkBegan = performance.now();
    this.#characters = 0;
    if (this.#chunkTookMs === 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor((this.#endsAt - this.#chunkBegan) / this.#chunkTookMs));
  }

  /** Counts an operation that was executed. Returns false when the batch ends with it. */
  allowsMoreAfter({ status, rendered, before = [] }: LogEntry): boolean {
    if (status === "failure") this.#failuresLeft--;
    this.#characters += lengthOf(rendered) + lengthOf(before);
    return this.#characters < charactersAtOnce && this.#allowsMore(performance.now());
  }

  /** Ends a chunk. Returns false when the batch ends with it. */
  endChunk(): boolean {
    const now = performance.now();
    this.#chunkTookMs = now - this.#chunkBegan;
    return this.#allowsMore(now);
  }

  #allowsMore(now: number): boolean {
    return this.#failuresLeft >= 0 && now < this.#endsAt;
  }
}
