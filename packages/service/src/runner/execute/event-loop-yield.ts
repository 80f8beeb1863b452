import { setImmediate } from "node:timers/promises";

/**
 * Time for which operations are executed before yielding, in milliseconds: pending statements are sent, answers arrive,
 * requests are served, and other tasks continue.
 */
const heldMs = 3;

/** Yields to the event loop while operations are executed that wait for nothing. */
export interface EventLoopYield {
  /** True when nothing has yielded for that time. */
  isDue(): boolean;
  yield(): Promise<void>;
}

export function eventLoopYield(): EventLoopYield {
  let heldSince = performance.now();
  return {
    isDue: () => performance.now() - heldSince >= heldMs,
    async yield() {
      await setImmediate();
      heldSince = performance.now();
    },
  };
}
