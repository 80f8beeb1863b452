import { useEffect, useEffectEvent, useState } from "react";
import { isAway, noteAway, pauseBeforeRetry } from "./connection.ts";
import type { TadaDocumentNode } from "./graphql.ts";
import { type Answer, dataOf, post } from "./request.ts";

let current: AbortController | undefined;

/** The lock of the one stream that a browser's tabs share: HTTP/1.1 allows six connections to a service in total. */
const lock = "lading-event-stream";

interface Watcher<Data> {
  onData(data: Data): void;
  /** Called with true when the stream delivers, and with false when it no longer does. */
  onLive(isLive: boolean): void;
  /** Called when the stream cannot continue; not called at its regular end. */
  onError(error: unknown): void;
}

/**
 * Subscribes a component to a document while `isWanted`. Returns true while the stream delivers every change;
 * otherwise the component must poll.
 */
export function useStream<Data, Variables>(
  isWanted: boolean,
  tenant: string,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  watcher: Pick<Watcher<Data>, "onData" | "onError">,
): boolean {
  const [isLive, setLive] = useState(false);
  const onData = useEffectEvent(watcher.onData);
  const onError = useEffectEvent(watcher.onError);
  const given = JSON.stringify(variables);
  useEffect(() => {
    if (!isWanted) return;
    return subscribe(tenant, document, JSON.parse(given) as Variables, {
      onData: (data) => onData(data),
      onError: (error) => onError(error),
      onLive: setLive,
    });
  }, [isWanted, tenant, document, given]);
  return isWanted && isLive;
}

/** The time after which a stream that breaks is reopened without delay, in milliseconds. */
const longStream = 10_000;

/**
 * Subscribes to a document until the subscription ends or the returned function is called. A tab's new
 * subscription ends its previous one. Only one visible tab of a browser has a stream at a time. A stream that breaks
 * or is refused is reopened indefinitely.
 */
function subscribe<Data, Variables>(
  tenant: string,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { onData, onLive, onError }: Watcher<Data>,
): () => void {
  current?.abort();
  const stream = new AbortController();
  current = stream;
  const follow = async (signal: AbortSignal) => {
    for (let tries = 0; !signal.aborted; tries++) {
      const begun = Date.now();
      let failure: unknown;
      try {
        const response = await post(tenant, document, variables, { accept: "text/event-stream", signal });
        const isAtEnd = await readEvents(response, (data: Data) => {
          onLive(true);
          onData(data);
        });
        if (isAtEnd) return stream.abort();
        if (Date.now() - begun >= longStream) tries = 0;
        if (!signal.aborted) noteAway();
      } catch (error) {
        if (signal.aborted) return;
        if (!isAway(error)) {
          stream.abort();
          return onError(error);
        }
        failure = error;
      } finally {
        onLive(false);
      }
      await pauseBeforeRetry(signal, tries, failure);
    }
  };
  whileSeen(stream.signal, (signal) => navigator.locks.request(lock, { signal }, () => follow(signal)));
  return () => stream.abort();
}

/**
 * Runs a task while this page is visible, with a signal that aborts when the page is hidden or the given
 * signal aborts.
 */
function whileSeen(signal: AbortSignal, task: (signal: AbortSignal) => Promise<void>): void {
  let seen: AbortController | undefined;
  const look = () => {
    const isSeen = document.visibilityState === "visible" && !signal.aborted;
    if (!isSeen) {
      seen?.abort();
      seen = undefined;
    } else if (seen === undefined) {
      seen = new AbortController();
      // A task waiting for its lock rejects when it is aborted.
      task(seen.signal).catch(() => {});
    }
  };
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", look);
  look();
}

/** Reads the events of a response. Returns true if the stream ended, false if it broke. */
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
    // Browsers throw a TypeError for a broken connection; an error of the API is rethrown.
    if (!(error instanceof TypeError)) throw error;
  }
  return false;
}

/** The service sends something every 15 seconds; a connection silent for longer is broken. */
const mostSilence = 40_000;

/** Yields chunks until the end, or until nothing arrived for too long. */
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
