import { SeenKeys } from "@lading/schema/internal/seen-keys";
import { isThumbnailKey } from "./keys.ts";
import { type ListedObject, type ObjectStore, ObjectStoreError } from "./object-store.ts";

/** The number of files found and bytes written by copies. */
export interface CopiedFiles {
  copied: number;
  bytes: number;
  /** The number of files that were already there. */
  present: number;
}

/** Two stores, and which objects of the first to copy to the second. */
export interface FileCopy {
  readonly source: Pick<ObjectStore, "list" | "read">;
  readonly target: Pick<ObjectStore, "stat" | "put">;
  /** Key prefix; empty: all. */
  readonly prefix: string;
  /** Called with what was copied so far. */
  readonly onFile: (copied: CopiedFiles) => void;
}

/** Concurrent copies: each is flushed to disk, or takes some requests. */
const concurrency = 8;

/**
 * Copies objects from one store to another, except thumbnails, which are made again. An object is written once, so an
 * existing one of the same size is the same: an interrupted copy resumes. An object deleted meanwhile is skipped.
 *
 * It remembers the objects it has seen, in 24 to 48 bytes each, so that a further call only costs a listing.
 */
export class FileCopier {
  readonly #copy: FileCopy;
  readonly #seen = new SeenKeys();
  readonly copied: CopiedFiles = { copied: 0, bytes: 0, present: 0 };

  constructor(copy: FileCopy) {
    this.#copy = copy;
  }

  /**
   * Copies the objects that no earlier call has seen.
   * @throws Error when the target has another object under a key, and what `list`, `read` and `put` throw
   */
  async copyNew(): Promise<void> {
    const { source, prefix } = this.#copy;
    const objects = source.list(prefix)[Symbol.asyncIterator]();
    let hasFailed = false;
    const copyRest = async () => {
      for (let next = await objects.next(); !next.done && !hasFailed; next = await objects.next())
        await this.#pass(next.value);
    };
    const fail = (error: unknown) => {
      hasFailed = true;
      throw error;
    };
    const ended = await Promise.allSettled(Array.from({ length: concurrency }, () => copyRest().catch(fail)));
    await objects.return?.();
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  }

  async #pass(object: ListedObject): Promise<void> {
    if (isThumbnailKey(object.key)) return;
    if (this.#seen.add(object.key, 1) !== undefined) return;
    const result = await this.#copyUnlessThere(object);
    if (result === "gone") return;
    this.copied[result]++;
    if (result === "copied") this.copied.bytes += object.bytes;
    this.#copy.onFile(this.copied);
  }

  async #copyUnlessThere({ key, bytes }: ListedObject): Promise<"copied" | "present" | "gone"> {
    const { source, target } = this.#copy;
    const present = await target.stat(key);
    if (present !== undefined) {
      requireSize(key, bytes, present.bytes);
      return "present";
    }
    try {
      const stored = await target.put(key, source.read(key), { maxBytes: Number.POSITIVE_INFINITY });
      requireSize(key, bytes, stored.bytes);
      return "copied";
    } catch (error) {
      if (error instanceof ObjectStoreError && error.name === "ObjectMissing") return "gone";
      throw error;
    }
  }
}

function requireSize(key: string, bytes: number, there: number): void {
  if (bytes !== there)
    throw new Error(`the target has another file under the key ${key}: ${there} bytes instead of ${bytes}`);
}
