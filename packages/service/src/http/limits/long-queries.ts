/** Length from which a query is long: reading and checking it takes milliseconds of the service's thread. */
export const longQuery = 10_000;

/**
 * Starts the long queries of a tenant serially. Pauses between two as long as the first kept the thread, so that other
 * tenants' requests progress.
 */
export function longQueries(): (tenantId: string, query: string) => Promise<void> | undefined {
  const last = new Map<string, Promise<void>>();
  return (tenantId, query) => {
    if (query.length < longQuery) return;
    const turn = (last.get(tenantId) ?? Promise.resolve()).then(pause);
    last.set(tenantId, turn);
    return turn.then(() => {
      if (last.get(tenantId) === turn) last.delete(tenantId);
    });
  };
}

/** Yields to the event loop, then waits as long again. */
function pause(): Promise<void> {
  const began = performance.now();
  return new Promise((resolve) => {
    setImmediate(() => setTimeout(resolve, performance.now() - began));
  });
}
