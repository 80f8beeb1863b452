import { ImageFetchFailure } from "../../media/fetch/fetch-failure.ts";
import type { ImageFacts } from "../../storage/collections/images.ts";

/** One image that is fetched for a task, however often it is asked for. */
export interface Fetch {
  readonly url: string;
  /** Undefined until the fetch is settled. */
  outcome: FetchOutcome | undefined;
  /** Resolved when the fetch is settled, whatever the outcome. */
  readonly settled: Promise<void>;
  /** The number of the last operation that is known to need it. */
  lastReader: number;
}

/** `trouble` has nothing to do with the image: an error of the object store, or a defect. */
export type FetchOutcome = { image: ImageFacts } | { failure: ImageFetchFailure } | { trouble: unknown };

interface Waiting {
  readonly fetch: Fetch;
  readonly resolve: () => void;
}

/** Settled fetches that are remembered beyond those that operations still wait for. */
const remembered = 20_000;

/** Fetches images in the order in which they are asked for, several at a time, each URL once. */
export class FetchQueue {
  readonly #run: (url: string, signal: AbortSignal) => Promise<ImageFacts>;
  readonly #atOnce: number;
  readonly #known = new Map<string, Fetch>();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #waiting: Waiting[] = [];

  constructor(run: (url: string, signal: AbortSignal) => Promise<ImageFacts>, atOnce: number) {
    this.#run = run;
    this.#atOnce = atOnce;
  }

  /** The fetch of a URL, for the operation with this number. An urgent one, which was not expected, goes first. */
  ask(url: string, reader: number, urgent = false): Fetch {
    const known = this.#known.get(url);
    if (known !== undefined) {
      known.lastReader = Math.max(known.lastReader, reader);
      return known;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const fetch: Fetch = { url, outcome: undefined, settled: promise, lastReader: reader };
    this.#known.set(url, fetch);
    if (urgent) this.#waiting.unshift({ fetch, resolve });
    else this.#waiting.push({ fetch, resolve });
    this.#fill();
    return fetch;
  }

  /** Forgets the oldest fetches that no operation from this number on is known to need, when there are too many. */
  forget(cursor: number): void {
    if (this.#known.size <= remembered) return;
    let excess = this.#known.size - remembered;
    for (const [url, { outcome, lastReader }] of this.#known) {
      if (excess === 0) break;
      if (outcome === undefined || lastReader >= cursor) continue;
      this.#known.delete(url);
      excess--;
    }
  }

  /** Aborts the open fetches; the waiting ones are never begun. */
  async close(): Promise<void> {
    this.#waiting = [];
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  #fill(): void {
    while (this.#running.size < this.#atOnce) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const work = this.#resolvePending(next).finally(() => {
        this.#running.delete(work);
        this.#fill();
      });
      this.#running.add(work);
    }
  }

  async #resolvePending({ fetch, resolve }: Waiting): Promise<void> {
    try {
      fetch.outcome = { image: await this.#run(fetch.url, this.#closing.signal) };
    } catch (error) {
      fetch.outcome = error instanceof ImageFetchFailure ? { failure: error } : { trouble: error };
    }
    resolve();
  }
}
