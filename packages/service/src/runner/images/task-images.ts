import { asSentence, type Helper, isPicturePath, type Rendering } from "@lading/schema/internal";
import { ImageFetchFailure } from "../../media/fetch/fetch-failure.ts";
import { type Media, storedImages } from "../../media/stored-images.ts";
import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import { type ImageFacts, images } from "../../storage/collections/images.ts";
import { digestsOfImages } from "../../storage/queries/images.ts";
import { withLoaded } from "../../storage/unit-of-work/loaded.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { noteFetched, sweepFetched } from "../../tasks/fetched-images.ts";
import { TemplateError, ValueUnavailable } from "../../templates/scope.ts";
import type { PreparedOperation } from "../execute/operation-source.ts";
import type { RunnerServices } from "../services.ts";
import { type Fetch, FetchQueue } from "./fetch-queue.ts";
import { type ImageSource, registeredImage, uploadedBy } from "./image-source.ts";
import { literalUploads } from "./literal-uploads.ts";
import { taskPictures } from "./task-pictures.ts";

/** An image that an operation's templates uploaded. */
export interface UploadedImage {
  readonly image: ImageFacts;
  readonly resourceIdentifier: string | null;
}

/** An image an operation is going to upload; not fetched while the tenant has one with its digest. */
interface ExpectedImage {
  readonly source: ImageSource;
  readonly index: number;
  fetch?: Fetch;
}

/** The images that a task's operations upload. */
export type OperationImages = Pick<TaskImages, keyof TaskImages>;

/**
 * Time to wait for further operations' images once the first's have arrived, in milliseconds: keeps batches large.
 */
const gatherMs = 100;

/**
 * The images a task uploads, fetched ahead of the operations, several concurrently. No operation waits inside a
 * transaction: one whose image has not arrived ends its batch before it, and is retried later.
 */
export class TaskImages implements Media {
  readonly #services: RunnerServices;
  readonly #claim: ClaimedTask;
  readonly #isAsked: (source: ImageSource) => boolean;
  readonly #stored: Media;
  readonly #queue: FetchQueue;
  /** By the index of an operation not yet executed. */
  readonly #fetchesByOperation = new Map<number, ExpectedImage[]>();
  /** Settled when it is known which predicted images the tenant has. */
  #lookUps: Promise<void> = Promise.resolve();
  /** The fetches awaited by the operation that ended a batch. */
  readonly #awaited = new Set<Fetch>();
  /** Images stored by this runner that no committed operation has registered yet, by key. */
  readonly #unregistered = new Map<string, ImageFacts>();
  /** Keys registered by operations of the open batch. */
  readonly #registered = new Set<string>();
  #lastRead = 0;
  /** True when there may be images to sweep. */
  #noted = false;

  /** @param isAsked which sources are found here; default: all */
  constructor(
    services: RunnerServices,
    claim: ClaimedTask,
    isAsked: (source: ImageSource) => boolean = () => true,
  ) {
    const { images: fetcher, store } = services;
    this.#services = services;
    this.#claim = claim;
    this.#isAsked = isAsked;
    this.#stored = storedImages(store, claim.tenantId);
    const pictureOf = taskPictures(services, claim);
    this.#queue = new FetchQueue(async (source, signal) => {
      const find = isPicturePath(source.url) ? pictureOf(source) : this.#fetch(source, signal);
      const image = await find;
      this.#unregistered.set(image.key, image);
      return image;
    }, fetcher.concurrency);
  }

  #fetch({ url, sha256 }: ImageSource, signal: AbortSignal): Promise<ImageFacts> {
    const { images: fetcher } = this.#services;
    return fetcher.fetch(url, this.#claim.tenantId, signal, async (image) => {
      if (sha256 !== null && image.sha256 !== sha256)
        throw new ImageFetchFailure(url, `its SHA-256 is ${image.sha256}, not ${sha256}`);
      this.#noted = true;
      await noteFetched(this.#services, this.#claim, image.key);
    });
  }

  /** Starts fetching images whose URLs are literals in the operations' templates, unless the tenant has them. */
  prefetch(operations: readonly PreparedOperation[]): void {
    this.#lastRead = operations.at(-1)?.index ?? this.#lastRead;
    const known: ExpectedImage[] = [];
    for (const operation of operations) {
      const { index } = operation;
      const sources = literalUploads(operation).filter(this.#isAsked);
      const expected = sources.map((source): ExpectedImage => ({ source, index }));
      if (expected.length > 0) this.#fetchesByOperation.set(index, expected);
      for (const image of expected)
        if (image.source.sha256 === null) image.fetch = this.#queue.ask(image.source, index);
        else known.push(image);
    }
    if (known.length === 0) return;
    this.#lookUps = this.#fetchMissing(known, this.#lookUps);
    // `ready` throws it.
    this.#lookUps.catch(() => {});
  }

  async #fetchMissing(expected: readonly ExpectedImage[], earlier: Promise<void>): Promise<void> {
    const digests = new Set(expected.flatMap(({ source }) => source.sha256 ?? []));
    const { database } = this.#services;
    const stored = await digestsOfImages(database, this.#claim.tenantId, [...digests]);
    for (const image of expected)
      if (!stored.has(image.source.sha256 ?? "")) image.fetch = this.#queue.ask(image.source, image.index);
    await earlier;
  }

  /**
   * Waits for the images of the first operation, unless the signal is aborted. Returns the leading operations whose
   * predicted images have arrived. Throws the error that kept an image of the first from being stored.
   */
  async ready(
    operations: readonly PreparedOperation[],
    signal: AbortSignal,
  ): Promise<readonly PreparedOperation[]> {
    if (this.#fetchesByOperation.size === 0 && this.#awaited.size === 0) return operations;
    await this.#lookUps;
    const first = this.#fetchesOf(operations[0]?.index ?? -1);
    const needed = [...first, ...this.#awaited];
    await settled(needed, signal);
    if (signal.aborted) return operations;
    for (const { outcome } of needed)
      if (outcome !== undefined && "trouble" in outcome) throw outcome.trouble;
    this.#awaited.clear();
    const others = operations.flatMap(({ index }) => this.#fetchesOf(index));
    await settled(others, signal, gatherMs);
    const behind = operations.findIndex(({ index }) => !this.#isReady(index));
    return behind === -1 ? operations : operations.slice(0, behind);
  }

  #isReady(index: number): boolean {
    return this.#fetchesOf(index).every(({ outcome }) => outcome !== undefined);
  }

  #fetchesOf(index: number): Fetch[] {
    return (this.#fetchesByOperation.get(index) ?? []).flatMap(({ fetch }) => fetch ?? []);
  }

  /** Declares the rows of images that operations upload. */
  prefetchImages(operations: readonly PreparedOperation[], prefetch: Prefetch): void {
    if (this.#fetchesByOperation.size === 0) return;
    for (const { source, fetch } of operations.flatMap(
      ({ index }) => this.#fetchesByOperation.get(index) ?? [],
    )) {
      if (source.sha256 !== null) prefetch(images, "sha256", [source.sha256]);
      const outcome = fetch?.outcome;
      if (outcome !== undefined && "image" in outcome) prefetch(images, "key", [outcome.image.key]);
    }
  }

  /**
   * Makes the template helper: `{{ upload "url" "resource identifier" sha256="digest" }}` is the key of the tenant's
   * image with the digest, or else of the fetched image, or of the picture that a path stands for. Records the image.
   * Has no value while the image is being fetched (the reason is its `Fetch`), or when that failed (the failure).
   */
  upload(unit: UnitOfWork): Helper {
    return (parameters, named, rendering) => {
      const { source, resourceIdentifier } = uploadedBy(parameters, named);
      return withLoaded(registeredImage(unit, source), (registered) =>
        collect(rendering, { image: registered ?? this.#fetched(source), resourceIdentifier }),
      );
    };
  }

  #fetched(source: ImageSource): ImageFacts {
    const fetch = this.#queue.ask(source, this.#lastRead, true);
    const { outcome } = fetch;
    if (outcome === undefined || "trouble" in outcome) throw new ValueUnavailable(fetch);
    if ("unusable" in outcome)
      throw new TemplateError(`${asSentence(outcome.unusable.message).trimStart()}.`, "ImageFetchError");
    if ("failure" in outcome) throw new ValueUnavailable(outcome.failure);
    return outcome.image;
  }

  /** Sets the fetches that the operation which ends the batch waits for. */
  await(fetches: readonly Fetch[]): void {
    for (const fetch of fetches) this.#awaited.add(fetch);
  }

  /** See `Media`; the images this task stored are known without a store look-up. */
  async image(key: string): Promise<ImageFacts> {
    return this.#unregistered.get(key) ?? this.#stored.image(key);
  }

  bytes(key: string): Promise<number | undefined> {
    return this.#stored.bytes(key);
  }

  /** Notes that an operation of the open batch registered the image with this key. */
  registered(key: string): void {
    this.#registered.add(key);
  }

  /** Resets after a rollback; the batch will be rerun. */
  discard(): void {
    this.#registered.clear();
    this.#awaited.clear();
  }

  /** Notes that the operations before the cursor are committed. */
  commit(cursor: number): void {
    for (const key of this.#registered) this.#unregistered.delete(key);
    this.#registered.clear();
    if (this.#fetchesByOperation.size === 0) return;
    for (const index of this.#fetchesByOperation.keys())
      if (index < cursor) this.#fetchesByOperation.delete(index);
    this.#queue.forget(cursor);
  }

  async #endFetches(): Promise<void> {
    await this.#lookUps.catch(() => {});
    await this.#queue.close();
  }

  /** Aborts open fetches. If the task ended meanwhile, deletes the images it stored but didn't use. */
  async close(): Promise<void> {
    await this.#endFetches();
    if (!this.#noted) return;
    await sweepFetched(this.#services, { tenantId: this.#claim.tenantId }).catch((error) =>
      this.#services.logger.warn(
        { err: error },
        "removing orphaned images failed; will be retried by the tenant's next task or the next start",
      ),
    );
  }

  /** Deletes images that any runner stored for this task but didn't use. Call it just before the task ends. */
  async sweep(): Promise<void> {
    await this.#endFetches();
    const { tenantId, taskId, isFirstExecution } = this.#claim;
    if (!this.#noted && isFirstExecution) return;
    await sweepFetched(this.#services, { tenantId, taskId });
  }
}

/** Collects an image uploaded by a template; returns its key. */
export function collect(rendering: Rendering, uploaded: UploadedImage): string {
  rendering.collected ??= [];
  rendering.collected.push(uploaded);
  return uploaded.image.key;
}

/** Waits until all are settled, the signal is aborted, or `maxWaitMs` have passed. */
async function settled(fetches: readonly Fetch[], signal: AbortSignal, maxWaitMs?: number): Promise<void> {
  const open = fetches.filter(({ outcome }) => outcome === undefined);
  if (open.length === 0 || signal.aborted) return;
  const { promise: givenUp, resolve } = Promise.withResolvers<void>();
  const giveUp = () => resolve();
  const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
  signal.addEventListener("abort", giveUp);
  await Promise.race([givenUp, Promise.all(open.map((fetch) => fetch.settled))]);
  signal.removeEventListener("abort", giveUp);
  clearTimeout(timer);
}
