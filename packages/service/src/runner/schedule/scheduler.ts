import { setImmediate, setTimeout } from "node:timers/promises";

/** Longest time that a piece of long work waits, and that short work is preferred, in milliseconds. */
const maxWaitMs = 1_000;
/** Longest time that a piece yields to callers that keep using the database, in milliseconds: each gets a share. */
const maxYieldMs = 50;
/** Turns of the event loop without a waiting caller: a request that was just answered may ask the database again. */
const quietTurns = 4;

/** Lets short work go before long work. One for each process. */
export interface Scheduler {
  /** Begins something short: long work waits until the returned function is called, for at most a second. */
  short(): () => void;
  /** Waits between two pieces of long work until it may go on. */
  yieldToShort(): Promise<void>;
  /** Runs a piece of long work when it may go on. With `oneAtATime`, pieces run one after the other. */
  long<Result>(piece: () => Promise<Result>): Promise<Result>;
}

export interface SchedulerOptions {
  /** True when all pieces share something that does one thing at a time anyway (PGlite). */
  readonly oneAtATime: boolean;
  /** True while other callers wait for what the pieces share. */
  readonly busy: () => boolean;
}

export function openScheduler({ oneAtATime, busy }: SchedulerOptions): Scheduler {
  const shorts = new Set<PromiseWithResolvers<void>>();
  let last: Promise<unknown> = Promise.resolve();

  const yieldToShort = async () => {
    const began = performance.now();
    const remaining = () => began + maxWaitMs - performance.now();
    const mayYield = () => performance.now() - began < maxYieldMs;
    for (let quiet = 0; quiet < quietTurns && mayYield(); quiet = busy() ? 0 : quiet + 1)
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

/** Waits until one of these has ended, for at most so many milliseconds. */
async function oneOf(shorts: readonly PromiseWithResolvers<void>[], milliseconds: number): Promise<void> {
  const timer = new AbortController();
  const timeout = setTimeout(milliseconds, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([timeout, ...shorts.map(({ promise }) => promise)]);
  timer.abort();
}
