import { keepHeapSmall } from "../../system/heap.ts";

/** Large queries executed concurrently. */
const concurrency = 2;

/** Queue limit per tenant and process: each waiting query keeps its body in memory. */
export const waitingQueries = 50;

/** Longest pause between two large queries of a tenant, in milliseconds. */
const longestPause = 1_000;

/**
 * Queues large queries to bound the memory their answers take. If more of a tenant wait, the next begins after a pause
 * as long as the last one took: its statements may have kept the database, or with PGlite the whole thread, busy.
 */
export interface LargeQueries {
  /** True when the tenant's queue is full. */
  isFull(tenant: string): boolean;
  /** Runs the work in order of arrival, one at a time per tenant and two in all. */
  run<Result>(tenant: string, work: () => Result | Promise<Result>): Promise<Result>;
}

export function largeQueries(): LargeQueries {
  const running = new Set<string>();
  const resting = new Set<string>();
  const waiting: { tenant: string; begin: () => void }[] = [];
  const beginNext = () => {
    while (running.size < concurrency) {
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
