import { setTimeout } from "node:timers/promises";
import type { Database, Locks, Queries } from "./database.ts";
import { isTransient } from "./sql-states.ts";

/** The step after a failed attempt: retry immediately, retry after a back-off, or throw its error. */
export type AfterFailure = "again" | "back off" | "throw";

export interface RetryOptions {
  readonly afterFailure: (error: unknown) => AfterFailure;
  /** Maximum attempts. Default: unlimited. */
  readonly attempts?: number;
}

/** Makes attempts, numbered from 0, until one succeeds, or throws the error of the last. */
export async function retry<Result>(
  attempt: (number: number) => Promise<Result>,
  { afterFailure, attempts = Number.POSITIVE_INFINITY }: RetryOptions,
): Promise<Result> {
  for (let number = 0; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      const next = afterFailure(error);
      if (next === "throw" || number + 1 >= attempts) throw error;
      if (next === "back off") await backOff(number);
    }
  }
}

/** Backs off after transient errors, and throws all others. */
export const whenTransient =
  (passes: (error: unknown) => boolean) =>
  (error: unknown): AfterFailure =>
    passes(error) ? "back off" : "throw";

/** Waits for a random time of up to 5, 10, 20 … 640 milliseconds, so that two writers don't collide again. */
const backOff = (attempt: number): Promise<void> => setTimeout(Math.random() * 5 * 2 ** Math.min(attempt, 7));

/**
 * Runs `work` in a transaction, and retries on fresh data as long as another writer was faster. `again` names other
 * transient errors; `locks` are those of `Database.transaction`.
 */
export const retriedTransaction = <Result>(
  database: Database,
  work: (transaction: Queries) => Promise<Result>,
  again: (error: unknown) => boolean = () => false,
  locks?: Locks,
): Promise<Result> =>
  retry(() => database.transaction(work, locks), {
    afterFailure: whenTransient((error) => isTransient(error) || again(error)),
  });
