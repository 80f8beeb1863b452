import { setImmediate, setTimeout } from "node:timers/promises";

/** How long something short goes before what is long, and how long a piece of the latter waits at most, in milliseconds. */
const patience = 1_000;
/** How long a piece waits at most for those who ask the shared thing again and again, in milliseconds: each has its share. */
const politeness = 50;
/** Turns of the event loop without anybody waiting: a request that was answered by the database may ask it again. */
const quietTurns = 4;

/** Decides when what is long goes on, so that what is short does not wait for it. One for each process. */
export interface Precedence {
  /** Something short begins: what is long waits until the answered function is called, though no longer than a second. */
  short(): () => void;
  /** Waits for its turn; to be asked between two pieces of what is long. */
  pass(): Promise<void>;
  /** Runs one of those pieces when its turn has come. With `oneAtATime`, when the one before is done, too. */
  long<Result>(piece: () => Promise<Result>): Promise<Result>;
}

export interface PrecedenceOptions {
  /** Whether pieces run one after the other, because what they share (PGlite) does one thing at a time anyway. */
  readonly oneAtATime: boolean;
  /** Whether somebody else waits for what the pieces share. */
  readonly busy: () => boolean;
}

export function openPrecedence({ oneAtATime, busy }: PrecedenceOptions): Precedence {
  const shorts = new Set<PromiseWithResolvers<void>>();
  let last: Promise<unknown> = Promise.resolve();

  const pass = async () => {
    const began = performance.now();
    const left = () => began + patience - performance.now();
    const polite = () => performance.now() - began < politeness;
    for (let quiet = 0; quiet < quietTurns && polite(); quiet = busy() ? 0 : quiet + 1) await setImmediate();
    while (shorts.size > 0 && left() > 0) await oneOf([...shorts], left());
  };
  const inTurn = async <Result>(piece: () => Promise<Result>) => {
    await pass();
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
      const timeout = globalThis.setTimeout(end, patience);
      return end;
    },
    pass,
    long(piece) {
      if (!oneAtATime) return inTurn(piece);
      const result = last.then(() => inTurn(piece));
      last = result.catch(() => {});
      return result;
    },
  };
}

/** Waits until one of these has ended, or so many milliseconds. */
async function oneOf(shorts: readonly PromiseWithResolvers<void>[], milliseconds: number): Promise<void> {
  const given = new AbortController();
  const timeout = setTimeout(milliseconds, undefined, { signal: given.signal }).catch(() => {});
  await Promise.race([timeout, ...shorts.map(({ promise }) => promise)]);
  given.abort();
}
