/** One server-sent event (HTML standard, "Server-sent events"); JSON has no line breaks of its own. */
export const eventText = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The last event of a subscription. Clients would take any data of it for one more result. */
export const completeEvent = "event: complete\ndata:\n\n";

/** The results of a subscription as server-sent events: `next` for each, then `complete`. */
export function subscriptionStream<Result>(
  results: AsyncIterable<Result>,
  bodyOf: (result: Result) => unknown,
): ReadableStream<Uint8Array> {
  const iterator = results[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (!done) return controller.enqueue(encoder.encode(eventText("next", bodyOf(value))));
      controller.enqueue(encoder.encode(completeEvent));
      controller.close();
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
