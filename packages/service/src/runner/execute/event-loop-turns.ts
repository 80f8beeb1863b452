import { setImmediate } from "node:timers/promises";

/**
 * Time for which operations are executed until the event loop has a turn, in milliseconds: pending statements are sent,
 * answers arrive, requests are served, and other tasks go on.
 */
const heldMs = 3;

/** Gives turns to the event loop while operations are executed that wait for nothing. */
export interface EventLoopTurns {
  /** True when operations have been executed for so long without one. */
  isDue(): boolean;
  take(): Promise<void>;
}

export function eventLoopTurns(): EventLoopTurns {
  let heldSince = performance.now();
  return {
    isDue: () => performance.now() - heldSince >= heldMs,
    async take() {
      await setImmediate();
      heldSince = performance.now();
    },
  };
}
