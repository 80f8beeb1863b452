/** A queue per tenant, so that one tenant's flood doesn't starve the others. */
export interface FairQueue {
  /** True when the tenant's queue is full. */
  isFull(tenant: string): boolean;
  /** Runs work of a tenant, one at a time and in order of arrival. */
  run<Result>(tenant: string, work: () => Result | Promise<Result>): Promise<Result>;
}

export interface FairQueueLimits {
  /** Tenants whose work runs concurrently. */
  readonly concurrency: number;
  /** Length of a tenant's queue. */
  readonly waiting: number;
  /** If more of a tenant waits, the next begins after a pause as long as the last one took, but no longer (ms). */
  readonly longestPause: number;
}

/** Serves the tenants that wait in rotation. */
export function fairQueue({ concurrency, waiting: mostWaiting, longestPause }: FairQueueLimits): FairQueue {
  const running = new Set<string>();
  const resting = new Set<string>();
  /** By tenant; the one served last is at the end. */
  const waiting = new Map<string, (() => void)[]>();
  const nextTenant = () => waiting.keys().find((tenant) => !running.has(tenant) && !resting.has(tenant));
  const beginNext = () => {
    while (running.size < concurrency) {
      const tenant = nextTenant();
      if (tenant === undefined) return;
      const [begin, ...others] = waiting.get(tenant) ?? [];
      waiting.delete(tenant);
      if (others.length > 0) waiting.set(tenant, others);
      running.add(tenant);
      begin?.();
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
    isFull: (tenant) => (waiting.get(tenant)?.length ?? 0) >= mostWaiting,
    async run(tenant, work) {
      await new Promise<void>((begin) => {
        waiting.set(tenant, [...(waiting.get(tenant) ?? []), begin]);
        beginNext();
      });
      const began = performance.now();
      try {
        return await work();
      } finally {
        running.delete(tenant);
        if (longestPause > 0 && waiting.has(tenant)) rest(tenant, performance.now() - began);
        beginNext();
      }
    },
  };
}
