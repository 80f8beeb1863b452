import { keepHeapSmall } from "../../system/heap.ts";

/** Large queries that are executed at the same time. */
const atOnce = 2;

/** Large queries of a tenant that may wait for their turn at one process: each keeps its body in memory. */
export const waitingQueries = 50;

/** The longest pause between two large queries of a tenant, in milliseconds. */
const longestPause = 1_000;

/**
 * Lets large queries wait for each other, so that their answers are not all in memory at once. Where more of a tenant
 * wait, the next one begins after a pause as long as the last one took: its statements may have kept the database, or
 * with PGlite the whole thread, from others.
 */
export interface LargeQueries {
  /** True when as many of a tenant wait as may. */
  isFull(tenant: string): boolean;
  /** Does the work when it is its turn: one of a tenant, and two in all, in the order in which they came. */
  run<Result>(tenant: string, work: () => Result | Promise<Result>): Promise<Result>;
}

export function largeQueries(): LargeQueries {
  const running = new Set<string>();
  const resting = new Set<string>();
  const waiting: { tenant: string; begin: () => void }[] = [];
  const beginNext = () => {
    while (running.size < atOnce) {
      const next = waiting.findIndex(({ tenant }) => !running.has(tenant) && !resting.has(tenant));
      if (next === -1) return;
      for (const { tenant, begin } of waiting.splice(next, 1)) {
        running.add(tenant);
        begin();
      }
    }
  };
  const rest = (tenant: string, milliseconds: number) => {
    resting.add(tenant);
    const end = () => {
      resting.delete(tenant);
      beginNext();
    };
    setTimeout(end, Math.min(milliseconds, longestPause));
  };
  return {
    isFull: (tenant) => waiting.filter((one) => one.tenant === tenant).length >= waitingQueries,
    async run(tenant, work) {
      const release = keepHeapSmall();
      await new Promise<void>((begin) => {
        waiting.push({ tenant, begin });
        beginNext();
      });
      const began = performance.now();
      try {
        return await work();
      } finally {
        running.delete(tenant);
        release();
        if (waiting.some((one) => one.tenant === tenant)) rest(tenant, performance.now() - began);
        beginNext();
      }
    },
  };
}
