/**
 * Reads the next value of a generator while the caller works on the current one. Its `return` waits for the read under
 * way, and ends the generator.
 */
export async function* readAhead<Value>(source: AsyncGenerator<Value>): AsyncGenerator<Value> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // It rejects when awaited, and is ignored if nobody awaits it.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
