/** Characters of a query from which on it is long: to read and check it takes milliseconds of the service's thread. */
export const longQuery = 10_000;

/**
 * Lets the long queries of a tenant begin one after the other. Between two of them is a pause as long as the first one
 * kept the thread, in which requests of other tenants get on.
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

/** Waits for the end of this turn of the event loop, and then as long again. */
function pause(): Promise<void> {
  const began = performance.now();
  return new Promise((resolve) => {
    setImmediate(() => setTimeout(resolve, performance.now() - began));
  });
}
