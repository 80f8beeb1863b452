import { isAway, noteAway, retryDelay } from "./connection.ts";
import type { TadaDocumentNode } from "./graphql.ts";
import { type Answer, dataOf, post } from "./request.ts";

/** The stream of this tab, if any. */
let current: AbortController | undefined;

/** The lock of the one stream that the tabs of a browser share: HTTP/1.1 has six connections to a service for all. */
const lock = "lading-event-stream";

interface Watcher<Data> {
  onData(data: Data): void;
  /** Called when the stream will not go on, unless it came to its end. */
  onError(error: unknown): void;
}

/**
 * Subscribes to a document, until the subscription ends or the returned function is called. Another subscription of the
 * tab ends. Of all tabs one has a stream at a time, and none that is not seen: whoever subscribes also asks again now
 * and then. A stream that breaks off or is refused is opened again for as long as it takes.
 */
export function subscribe<Data, Variables>(
  tenant: string,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { onData, onError }: Watcher<Data>,
): () => void {
  current?.abort();
  const stream = new AbortController();
  current = stream;
  const follow = async (signal: AbortSignal) => {
    for (let tries = 0; !signal.aborted; tries++) {
      let failure: unknown;
      try {
        const response = await post(tenant, document, variables, { accept: "text/event-stream", signal });
        tries = 0;
        if (await readEvents(response, onData)) return stream.abort();
        if (!signal.aborted) noteAway();
      } catch (error) {
        if (signal.aborted) return;
        if (!isAway(error)) {
          stream.abort();
          return onError(error);
        }
        failure = error;
      }
      await pause(retryDelay(tries, failure), signal);
    }
  };
  whileSeen(stream.signal, (signal) => navigator.locks.request(lock, { signal }, () => follow(signal)));
  return () => stream.abort();
}

/** Runs a task whenever this page is seen, with a signal that aborts once it is not or the given signal aborts. */
function whileSeen(signal: AbortSignal, task: (signal: AbortSignal) => Promise<void>): void {
  let seen: AbortController | undefined;
  const look = () => {
    const isSeen = document.visibilityState === "visible" && !signal.aborted;
    if (!isSeen) {
      seen?.abort();
      seen = undefined;
    } else if (seen === undefined) {
      seen = new AbortController();
      // A task that waits for its lock rejects when it is aborted.
      task(seen.signal).catch(() => {});
    }
  };
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", look);
  look();
}

/** Waits for so many milliseconds, or until the signal aborts. */
const pause = (delay: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delay);
    signal.addEventListener("abort", end);
  });

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
