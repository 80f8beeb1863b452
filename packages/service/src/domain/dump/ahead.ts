/**
 * Reads the next value of a generator while the one before is worked on, so that the database and this process work at
 * the same time. Its `return` waits for the read under way, and ends the generator.
 */
export async function* readAhead<Value>(source: AsyncGenerator<Value>): AsyncGenerator<Value> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // It fails when it is awaited, unless nobody wants it any more.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
