import { ImageFetchFailure } from "../../media/fetch/fetch-failure.ts";
import type { ImageFacts } from "../../storage/collections/images.ts";
import type { ImageSource } from "./image-source.ts";
import { UnusablePicture } from "./task-pictures.ts";

/** One image fetched for a task, however often it is requested. */
export class Fetch {
  readonly source: ImageSource;
  /** Resolves when the fetch is settled, whatever the outcome. */
  readonly settled: Promise<void>;
  /** Index of the last operation known to need it. */
  lastReader: number;
  #outcome: FetchOutcome | undefined;
  readonly #resolve: () => void;

  constructor(source: ImageSource, reader: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.source = source;
    this.lastReader = reader;
    this.settled = promise;
    this.#resolve = resolve;
  }

  /** Undefined until the fetch is settled. */
  get outcome(): FetchOutcome | undefined {
    return this.#outcome;
  }

  settle(outcome: FetchOutcome): void {
    this.#outcome = outcome;
    this.#resolve();
  }
}

/**
 * A `failure` leaves the image out of an operation, an `unusable` picture ends it. `trouble` isn't the image's fault:
 * an object store error, or a defect.
 */
export type FetchOutcome =
  | { image: ImageFacts }
  | { failure: ImageFetchFailure }
  | { unusable: UnusablePicture }
  | { trouble: unknown };

type FetchImage = (source: ImageSource, signal: AbortSignal) => Promise<ImageFacts>;

/** Settled fetches remembered beyond those that operations wait for. */
const remembered = 20_000;

/** Fetches images in order of request, several concurrently, each source once. */
export class FetchQueue {
  readonly #fetchImage: FetchImage;
  readonly #concurrency: number;
  readonly #bySource = new Map<string, Fetch>();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #waiting: Fetch[] = [];

  /** Fetches at most `concurrency` images concurrently. */
  constructor(fetchImage: FetchImage, concurrency: number) {
    this.#fetchImage = fetchImage;
    this.#concurrency = concurrency;
  }

  /** The fetch of a source, for the operation with this index. An urgent one, which was not predicted, goes first. */
  ask(source: ImageSource, reader: number, urgent = false): Fetch {
    const name = nameOf(source);
    const earlier = this.#bySource.get(name);
    if (earlier !== undefined) {
      earlier.lastReader = Math.max(earlier.lastReader, reader);
      return earlier;
    }
    const fetch = new Fetch(source, reader);
    this.#bySource.set(name, fetch);
    if (urgent) this.#waiting.unshift(fetch);
    else this.#waiting.push(fetch);
    this.#fill();
    return fetch;
  }

  /** Drops the oldest fetches that no operation from this index on is known to need, when there are too many. */
  forget(cursor: number): void {
    if (this.#bySource.size <= remembered) return;
    let excess = this.#bySource.size - remembered;
    for (const [name, { outcome, lastReader }] of this.#bySource) {
      if (excess === 0) break;
      if (outcome === undefined || lastReader >= cursor) continue;
      this.#bySource.delete(name);
      excess--;
    }
  }

  /** Aborts open fetches; waiting ones never begin. */
  async close(): Promise<void> {
    this.#waiting = [];
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  #fill(): void {
    while (this.#running.size < this.#concurrency) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const work = this.#run(next).finally(() => {
        this.#running.delete(work);
        this.#fill();
      });
      this.#running.add(work);
    }
  }

  async #run(fetch: Fetch): Promise<void> {
    try {
      fetch.settle({ image: await this.#fetchImage(fetch.source, this.#closing.signal) });
    } catch (error) {
      if (error instanceof ImageFetchFailure) fetch.settle({ failure: error });
      else if (error instanceof UnusablePicture) fetch.settle({ unusable: error });
      else fetch.settle({ trouble: error });
    }
  }
}

/** Distinguishes sources: fetchable URLs have no space, which separates the digest here. */
const nameOf = ({ url, sha256 }: ImageSource): string => (sha256 === null ? url : `${sha256} ${url}`);
