import { setTimeout } from "node:timers/promises";
import { type Endpoint, Unreachable } from "../service/graphql.ts";
import { hasEnded, type LogQuery, readTask, type Snapshot } from "./task.ts";

export interface FollowOptions {
  signal: AbortSignal;
  /** Milliseconds for which a service that does not answer is asked again. Default 30,000. */
  patience?: number;
  /** Only these entries of the log. */
  query?: Omit<LogQuery, "id" | "after">;
  /** Stops at the end of the log as it is now, whether the task has ended or not. */
  once?: boolean;
}

/** Milliseconds between readings: a short task is told at once, a long one is not asked about all the time. */
const intervals = { first: 200, longest: 1_000, growth: 1.1 };
const retryInterval = 500;

/**
 * Reads a task again and again until it has ended and its whole log has been read; every entry comes once, in order.
 * @throws Unreachable when the service does not answer for longer than it is waited for; AbortError by the signal
 */
export async function* follow(
  endpoint: Endpoint,
  id: string,
  { signal, patience = 30_000, query = {}, once = false }: FollowOptions,
): AsyncGenerator<Snapshot> {
  let cursor = "";
  let hadEnded = false;
  let interval = intervals.first;
  for (;;) {
    signal.throwIfAborted();
    const snapshot = await patiently(
      () => readTask(endpoint, { ...query, id, after: cursor }),
      patience,
      signal,
    );
    cursor = snapshot.endCursor ?? cursor;
    yield snapshot;
    if (snapshot.hasNextPage) continue;
    // the log is read beside the status: only what is read after the end is known to be all
    if (hadEnded || once) return;
    hadEnded = hasEnded(snapshot.task);
    if (!hadEnded) await setTimeout(interval, undefined, { signal });
    interval = Math.min(interval * intervals.growth, intervals.longest);
  }
}

/** A service that is restarted goes on with its tasks by itself; so does who follows one. */
export async function patiently<T>(
  attempt: () => Promise<T>,
  patience: number,
  signal: AbortSignal,
): Promise<T> {
  const giveUpAt = Date.now() + patience;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Unreachable) || Date.now() >= giveUpAt) throw error;
      await setTimeout(Math.min(retryInterval, patience), undefined, { signal });
    }
  }
}
