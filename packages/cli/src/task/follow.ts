import { setTimeout } from "node:timers/promises";
import { type Endpoint, Unreachable } from "../service/graphql.ts";
import { hasEnded, isHeld, type LogQuery, readTask, type Snapshot } from "./task.ts";

export interface FollowOptions {
  signal: AbortSignal;
  /** Timeout for a service that does not answer, in milliseconds. Default 30,000. */
  maxWaitMs?: number;
  /** Called when the service stops answering, once each time, with the reason. */
  onOutage?: (reason: string) => void;
  query?: Omit<LogQuery, "id" | "after">;
  /** Stops at the current end of the log, even if the task continues. */
  once?: boolean;
}

/** Milliseconds between polls: short at first, so that a short task is reported immediately. */
const intervals = { first: 200, longest: 1_000, growth: 1.1 };
/** Milliseconds between attempts to reach a service that does not answer. */
const retryInterval = 500;

/**
 * Polls a task until it has ended or is held, and its whole log has been read; yields every entry once, in order.
 * @throws Unreachable when the service does not answer within `maxWaitMs`; AbortError by the signal
 */
export async function* follow(
  endpoint: Endpoint,
  id: string,
  { signal, maxWaitMs = 30_000, onOutage, query = {}, once = false }: FollowOptions,
): AsyncGenerator<Snapshot> {
  let cursor = "";
  let hadEnded = false;
  let interval = intervals.first;
  for (;;) {
    signal.throwIfAborted();
    const snapshot = await retryWhileUnreachable(() => readTask(endpoint, { ...query, id, after: cursor }), {
      maxWaitMs,
      signal,
      onOutage,
    });
    cursor = snapshot.endCursor ?? cursor;
    yield snapshot;
    if (snapshot.hasNextPage) continue;
    // Status and log are read side by side: only a log that is read after the end is complete.
    if (hadEnded || once) return;
    hadEnded = hasEnded(snapshot.task) || isHeld(snapshot.task);
    if (!hadEnded) await setTimeout(interval, undefined, { signal });
    interval = Math.min(interval * intervals.growth, intervals.longest);
  }
}

interface RetryOptions {
  maxWaitMs: number;
  signal: AbortSignal;
  onOutage?: FollowOptions["onOutage"];
}

/** Repeats a request while the service is unreachable, for example because it is restarting. */
export async function retryWhileUnreachable<T>(
  attempt: () => Promise<T>,
  { maxWaitMs, signal, onOutage }: RetryOptions,
): Promise<T> {
  const giveUpAt = Date.now() + maxWaitMs;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Unreachable) || Date.now() >= giveUpAt) throw error;
      if (attempts === 1) onOutage?.(error.message);
      await setTimeout(Math.min(retryInterval, maxWaitMs), undefined, { signal });
    }
  }
}
