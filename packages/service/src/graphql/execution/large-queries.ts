import { type FairQueue, fairQueue } from "../../system/fair-queue.ts";
import { keepHeapSmall } from "../../system/heap.ts";

/** Queue limit per tenant and process: each waiting query keeps its body in memory. */
export const waitingQueries = 50;

/**
 * Queues large queries to bound the memory their answers take. If more of a tenant wait, the next begins after a pause:
 * the statements of the last one may have kept the database, or with PGlite the whole thread, busy.
 */
export function largeQueries(): FairQueue {
  const queue = fairQueue({ concurrency: 2, waiting: waitingQueries, longestPause: 1_000 });
  return {
    isFull: queue.isFull,
    async run(tenant, work) {
      const release = keepHeapSmall();
      try {
        return await queue.run(tenant, work);
      } finally {
        release();
      }
    },
  };
}
