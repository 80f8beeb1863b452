/** So many are executed at once. */
const atOnce = 2;

/** How many large queries of a tenant may wait for their turn at one process: each keeps its body in memory. */
export const waitingQueries = 50;

/** Lets large queries wait for each other, so that their answers are not all in memory at once. */
export interface LargeQueries {
  /** Whether so many of a tenant wait that no other may. */
  isFull(tenant: string): boolean;
  /** Does the work when it is its turn: one of a tenant, and two in all, in the order in which they came. */
  run<Result>(tenant: string, work: () => Result | Promise<Result>): Promise<Result>;
}

export function largeQueries(): LargeQueries {
  const running = new Set<string>();
  const waiting: { tenant: string; begin: () => void }[] = [];
  const beginNext = () => {
    while (running.size < atOnce) {
      const next = waiting.findIndex(({ tenant }) => !running.has(tenant));
      if (next === -1) return;
      const [{ tenant, begin }] = waiting.splice(next, 1) as [(typeof waiting)[number]];
      running.add(tenant);
      begin();
    }
  };
  return {
    isFull: (tenant) => waiting.filter((one) => one.tenant === tenant).length >= waitingQueries,
    async run(tenant, work) {
      await new Promise<void>((begin) => {
        waiting.push({ tenant, begin });
        beginNext();
      });
      try {
        return await work();
      } finally {
        running.delete(tenant);
        beginNext();
      }
    },
  };
}
