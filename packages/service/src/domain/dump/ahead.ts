/**
 * Reads a generator's next value while the caller works on the current one. `return` waits for a pending read, then
 * ends the generator.
 */
export async function* readAhead<Value>(source: AsyncGenerator<Value>): AsyncGenerator<Value> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // A rejection is thrown when awaited, and ignored if nobody awaits it.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
