/** Time between two checks of the event loop, in milliseconds. */
const interval = 1_000;

/** Knows when the event loop of this process stood still: something kept the thread, or the process was frozen. */
export interface Stalls {
  /** For how many milliseconds without a pause it has stood still since `time` (as `performance.now()` has it). */
  longestSince(time: number): number;
  stop(): void;
}

/** Watches the event loop. Of several times when it stood still the latest are known. */
export function watchStalls(): Stalls {
  let last = performance.now();
  let stalls: { began: number; ended: number }[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last > 2 * interval) stalls = [...stalls.slice(-9), { began: last, ended: now }];
    last = now;
  }, interval);
  timer.unref();
  return {
    longestSince: (time) => {
      // What stands still until this moment has not been noted yet.
      const all = [...stalls, { began: last, ended: performance.now() }];
      return Math.max(...all.map(({ began, ended }) => ended - Math.max(began, time)));
    },
    stop: () => clearInterval(timer),
  };
}
