let last = Promise.resolve();

/**
 * Yields to the event loop until all who asked earlier had their turn. Between two turns other requests progress,
 * however many take turns.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
