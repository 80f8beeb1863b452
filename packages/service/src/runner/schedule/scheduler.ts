import { setImmediate, setTimeout } from "node:timers/promises";

/** Longest time a piece of long work waits, and short work is preferred, in milliseconds. */
const maxWaitMs = 1_000;
/** Longest time a piece yields to callers that keep using the database, in milliseconds: each gets a share. */
const maxYieldMs = 50;
/** Event-loop yields without a waiting caller: a request just answered may query the database again. */
const quietYields = 4;

/** Gives short work priority over long work. One per process. */
export interface Scheduler {
  /** Begins short work: long work waits until the returned function is called, for at most a second. */
  short(): () => void;
  /** Waits between two pieces of long work until it may continue. */
  yieldToShort(): Promise<void>;
  /** Runs a piece of long work when it may continue. With `oneAtATime`, pieces run serially. */
  long<Result>(piece: () => Promise<Result>): Promise<Result>;
}

export interface SchedulerOptions {
  /** True when all pieces share a resource that is serial anyway (PGlite). */
  readonly oneAtATime: boolean;
  /** True while other callers wait for the shared resource. */
  readonly busy: () => boolean;
}

export function openScheduler({ oneAtATime, busy }: SchedulerOptions): Scheduler {
  const shorts = new Set<PromiseWithResolvers<void>>();
  let last: Promise<unknown> = Promise.resolve();

  const yieldToShort = async () => {
    const began = performance.now();
    const remaining = () => began + maxWaitMs - performance.now();
    const mayYield = () => performance.now() - began < maxYieldMs;
    for (let quiet = 0; quiet < quietYields && mayYield(); quiet = busy() ? 0 : quiet + 1)
      await setImmediate();
    while (shorts.size > 0 && remaining() > 0) await oneOf([...shorts], remaining());
  };
  const inTurn = async <Result>(piece: () => Promise<Result>) => {
    await yieldToShort();
    return piece();
  };
  return {
    short() {
      const ended = Promise.withResolvers<void>();
      shorts.add(ended);
      const end = () => {
        clearTimeout(timeout);
        shorts.delete(ended);
        ended.resolve();
      };
      const timeout = globalThis.setTimeout(end, maxWaitMs);
      return end;
    },
    yieldToShort,
    long(piece) {
      if (!oneAtATime) return inTurn(piece);
      const result = last.then(() => inTurn(piece));
      last = result.catch(() => {});
      return result;
    },
  };
}

/** Waits until one of these ends, for at most `milliseconds`. */
async function oneOf(shorts: readonly PromiseWithResolvers<void>[], milliseconds: number): Promise<void> {
  const timer = new AbortController();
  const timeout = setTimeout(milliseconds, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([timeout, ...shorts.map(({ promise }) => promise)]);
  timer.abort();
}
