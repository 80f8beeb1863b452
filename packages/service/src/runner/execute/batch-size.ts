import { claimsThatCount } from "../../storage/bulk-tasks/claims/attempts.ts";
import type { Database } from "../../storage/database.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import { lengthOf } from "../../tasks/rendered.ts";

/** Maximum number of operations in a batch. */
export const largestBatch = 1_000;
/** Operations in a task's first batch: few, so that its log begins soon. */
const firstBatch = 100;
/** Lower limit for shrinking a slow batch: some of its time goes into writing and committing. */
const smallestBatch = 20;

/**
 * Time limit of a batch, in milliseconds. Its size is predicted from the previous batch; if its operations take longer,
 * it ends after this time and commits what is done. PGlite is a single connection: all other callers wait meanwhile.
 */
const timeBudgets: Record<Database["engine"], number> = { postgresql: 200, pglite: 40 };

/**
 * Maximum size of a batch's rendered text and rows, in UTF-16 units: they are in memory, several times over, until the
 * chunk is written. A few bytes of a file may render to 4 MiB, or publish thousands of items.
 */
export const charactersAtOnce = 8 * 1024 ** 2;

/** Number of times an operation runs alone before it is given up, if its process dies each time. */
export const attemptsAlone = 5;
/** Number of attempts, as in `ClaimedTask`, after which the next operation is not retried. */
export const deadlyAttempts = claimsThatCount + attemptsAlone;
/** Number of operations run one by one after two claims ended without a commit. */
const operationsAlone = largestBatch;

/** Decides how many operations to offer to a task's next batch. */
export class BatchSize {
  readonly #budgetMs: number;
  #size = firstBatch;
  /** Duration of the last transaction, in milliseconds. */
  #tookMs = 0;
  /** Number of operations still to run one by one. */
  #alone: number;

  constructor(engine: Database["engine"], attempts: number) {
    this.#budgetMs = timeBudgets[engine];
    this.#alone = attempts >= claimsThatCount ? operationsAlone : 0;
  }

  /** Operations to offer to the next batch. */
  get next(): number {
    return this.#alone > 0 ? 1 : this.#size;
  }

  /** Records how long a transaction took, without the wait for its start. */
  transactionTook(milliseconds: number): void {
    this.#tookMs = milliseconds;
  }

  /**
   * Adapts the size after a batch that committed `done` of the `offered` operations: as many as fit the time limit at
   * the last batch's speed, since loading rows for operations that don't fit is wasted. It at most doubles what
   * succeeded, and has a minimum, because not all of the time is spent on operations.
   */
  adapt(done: number, offered: number): void {
    const succeeded = done < offered ? done : this.#size;
    const fits = Math.floor((done * this.#budgetMs) / Math.max(1, this.#tookMs));
    this.#size = Math.max(1, Math.min(largestBatch, 2 * succeeded, Math.max(smallestBatch, fits)));
    this.#alone = Math.max(0, this.#alone - done);
  }
}

/**
 * Returns how many of the offered operations to try after this many conflicts: fewer each time, because a large batch
 * that keeps conflicting would never pass, and a small one does.
 */
export function sizeAfterConflicts(conflicts: number, offered: number): number {
  return Math.max(1, Math.ceil(offered / 4 ** Math.max(0, conflicts - 1)));
}

/** Decides, during a batch, when it ends early. */
export class BatchBudget {
  readonly #endsAt: number;
  readonly #isFailure: (status: LogEntry["status"]) => boolean;
  #failuresLeft: number;
  #characters = 0;
  #chunkBegan = 0;
  #chunkTookMs = 0;

  /** `failuresLeft` operations may fail, as `isFailure` counts; the batch ends with the next failure. */
  constructor(
    engine: Database["engine"],
    failuresLeft: number,
    isFailure: (status: LogEntry["status"]) => boolean = (status) => status === "failure",
  ) {
    this.#isFailure = isFailure;
    this.#endsAt = performance.now() + timeBudgets[engine];
    this.#failuresLeft = failuresLeft;
  }

  /** Begins a chunk. Returns how many more like the last one fit into the time; before the first, any number. */
  beginChunk(): number {
    this.#chunkBegan = performance.now();
    this.#characters = 0;
    if (this.#chunkTookMs === 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor((this.#endsAt - this.#chunkBegan) / this.#chunkTookMs));
  }

  /** Counts an executed operation. Returns false when the batch ends with it. */
  allowsMoreAfter({ status, rendered, before = [] }: LogEntry): boolean {
    if (this.#isFailure(status)) this.#failuresLeft--;
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
