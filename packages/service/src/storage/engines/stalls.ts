/** Time between two checks of the event loop, in milliseconds. */
const interval = 1_000;

/** The times when this process's event loop stalled: the thread was busy, or the process was frozen. */
export interface Stalls {
  /** The longest stall since `time` (of `performance.now()`), in milliseconds. */
  longestSince(time: number): number;
  stop(): void;
}

/** Watches the event loop, and remembers its latest ten stalls. */
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
      // A stall that lasts until now is not recorded yet.
      const all = [...stalls, { began: last, ended: performance.now() }];
      return Math.max(...all.map(({ began, ended }) => ended - Math.max(began, time)));
    },
    stop: () => clearInterval(timer),
  };
}
