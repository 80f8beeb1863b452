import { GCProfiler, getHeapStatistics } from "node:v8";

/**
 * Bytes that were allocated on the heap of this thread while `work` was done, whatever became of them: what the heap
 * grew by between collections, added up. Of the same work it is the same to some percent, on any machine with the same
 * Node, once the code is warm; Node 24 has no counter of its own for it.
 */
export async function allocatedBy(work: () => Promise<unknown>): Promise<number> {
  const profiler = new GCProfiler();
  profiler.start();
  let used = getHeapStatistics().used_heap_size;
  let allocated = 0;
  const grownTo = (bytes: number) => {
    allocated += bytes - used;
  };
  try {
    await work();
  } finally {
    const end = getHeapStatistics().used_heap_size;
    for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
      grownTo(beforeGC.heapStatistics.usedHeapSize);
      used = afterGC.heapStatistics.usedHeapSize;
    }
    grownTo(end);
  }
  return allocated;
}
