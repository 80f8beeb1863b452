import { noteAway, retryDelay } from "./connection.ts";
import { ServiceAway } from "./errors.ts";
import type { TadaDocumentNode } from "./graphql.ts";
import { type Answer, dataOf, post } from "./request.ts";

/** The stream of this tab, if any: HTTP/1.1 has six connections to a service, which all tabs share. */
let current: AbortController | undefined;

interface Watcher<Data> {
  onData(data: Data): void;
  /** Called when the service could be reached again after it could not: something may have been missed. */
  onReconnect(): void;
  /** Called when the stream will not go on, unless it came to its end. */
  onError(error: unknown): void;
}

/**
 * Subscribes to a document, until the subscription ends or the returned function is called. A stream that breaks off
 * is opened again for as long as it takes. Another subscription of the tab ends.
 */
export function subscribe<Data, Variables>(
  tenant: string,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  watcher: Watcher<Data>,
): () => void {
  current?.abort();
  const stream = new AbortController();
  current = stream;
  const follow = async () => {
    for (let tries = 0; !stream.signal.aborted; tries++) {
      try {
        const options = { accept: "text/event-stream", signal: stream.signal };
        const response = await post(tenant, document, variables, options);
        if (tries > 0) watcher.onReconnect();
        tries = 0;
        if (await readEvents(response, watcher.onData)) return;
        noteAway();
      } catch (error) {
        if (stream.signal.aborted) return;
        if (!(error instanceof ServiceAway)) return watcher.onError(error);
      }
      await new Promise((resolve) => setTimeout(resolve, retryDelay(tries)));
    }
  };
  void follow();
  return () => stream.abort();
}

/** Reads the events of a response; returns true when the stream came to its end, and false when it broke off. */
async function readEvents<Data>(response: Response, onData: (data: Data) => void): Promise<boolean> {
  if (response.body === null) return false;
  let rest = "";
  try {
    for await (const text of chunksOf(response.body.pipeThrough(new TextDecoderStream()))) {
      const events = (rest + text).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events.map(parseEvent)) {
        if (event.name === "complete") return true;
        if (event.name !== "next") continue;
        const answer: Answer<Data> = JSON.parse(event.data);
        onData(dataOf(answer));
      }
    }
  } catch (error) {
    // What a browser throws for a connection that breaks; an error of the API is thrown on.
    if (!(error instanceof TypeError)) throw error;
  }
  return false;
}

/** The service sends something every 15 seconds; a connection that is silent for longer than this is a broken one. */
const mostSilence = 40_000;

/** Yields what is read until the end, or until nothing came for too long. */
async function* chunksOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const timer = setTimeout(() => void reader.cancel(), mostSilence);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** `event: next\ndata: {…}`; a comment has neither. */
export function parseEvent(text: string): { name: string; data: string } {
  const lines = text.split(/\r?\n/);
  const field = (name: string) =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
      .join("\n");
  return { name: field("event"), data: field("data") };
}
