import { setImmediate } from "node:timers/promises";

/**
 * Time that operations execute before yielding, in milliseconds: then pending statements are sent, answers arrive,
 * requests are served, and other tasks continue.
 */
const heldMs = 3;

/** Yields to the event loop while executing operations that await nothing. */
export interface EventLoopYield {
  /** True when the last yield was longer ago than that. */
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
