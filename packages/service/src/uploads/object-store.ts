import { createHash } from "node:crypto";
import { isSafeKey } from "./keys.ts";

/**
 * The store of uploaded files. An object is written once, under its own key, and is visible only when all of it is
 * durable. Its etag identifies one version of its bytes; a reader that pins it gets an error when the object has
 * changed.
 *
 * Every method rejects with an `ObjectStoreError` as documented, and with `StoreUnavailable` when the store is
 * unreachable; other errors are defects or a broken disk.
 */
export interface ObjectStore {
  /**
   * Writes a new object from a stream of bytes and resolves when it is durable. When the stream throws, its error is
   * passed on and nothing is kept. Rejects with `DiskFull` when there is no space for it.
   * Errors: InvalidKey, ObjectExists, ObjectTooLarge, ObjectTooSmall.
   */
  put(key: string, body: AsyncIterable<Uint8Array>, limits: SizeLimits): Promise<StoredObject>;

  /** Returns the size and etag of an object, or undefined when there is none. Errors: InvalidKey. */
  stat(key: string): Promise<StoredObject | undefined>;

  /**
   * Streams an object from a byte offset (default 0; the object's size is allowed and yields nothing) up to another
   * (exclusive; default and maximum: its size). With an etag, only that version is read; a replacement or deletion is
   * also noticed between two chunks.
   * Errors, thrown by the iteration: InvalidKey, ObjectMissing, ObjectChanged, InvalidRange.
   */
  read(key: string, options?: ReadOptions): AsyncIterable<Uint8Array>;

  /**
   * Lists the objects whose keys begin with a prefix (empty: all), in any order. One added or deleted meanwhile may or
   * may not be listed.
   */
  list(prefix: string): AsyncIterable<ListedObject>;

  /** True while new objects are refused because the disk is full. Absent for stores without a local disk. */
  diskIsFull?: () => Promise<boolean>;

  /** Deletes an object, if it exists. Errors: InvalidKey. */
  delete(key: string): Promise<void>;

  /** Deletes every object whose key begins with a prefix that ends in a slash. Errors: InvalidKey. */
  deleteAll(prefix: string): Promise<void>;
}

/** The SHA-256 of one version of an object, in hexadecimal. Fails as `read`. */
export async function sha256Of(store: ObjectStore, key: string, etag: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of store.read(key, { etag })) hash.update(chunk);
  return hash.digest("hex");
}

export interface StoredObject {
  bytes: number;
  /** Opaque, without quotes. */
  etag: string;
}

export interface ListedObject {
  key: string;
  bytes: number;
}

export interface SizeLimits {
  /** In bytes, inclusive. */
  minBytes?: number;
  /** In bytes, inclusive. */
  maxBytes: number;
}

export interface ReadOptions {
  /** Offset of the first byte. */
  start?: number;
  /** Offset after the last byte. */
  end?: number;
  etag?: string;
}

export type ObjectStoreErrorName =
  | "InvalidKey"
  | "InvalidRange"
  | "ObjectChanged"
  | "ObjectExists"
  | "ObjectMissing"
  | "ObjectTooLarge"
  | "ObjectTooSmall";

/** A refusal of an object store, by name. The message says what is wrong with which key. */
export class ObjectStoreError extends Error {
  override readonly name: ObjectStoreErrorName;

  constructor(name: ObjectStoreErrorName, message: string) {
    super(message);
    this.name = name;
  }
}

/** The store is unreachable or answers incorrectly. This passes by itself or needs an operator. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
}

export const storeErrors = {
  exists: (key: string) =>
    new ObjectStoreError("ObjectExists", `${key} exists already: an object is written only once`),
  missing: (key: string) => new ObjectStoreError("ObjectMissing", `there is no object ${key}`),
  changed: (key: string) => new ObjectStoreError("ObjectChanged", `${key} is no longer what was uploaded`),
  beyond: (key: string, start: number, bytes: number) =>
    new ObjectStoreError("InvalidRange", `offset ${start} is beyond the ${bytes} bytes of ${key}`),
};

/** Returns the key. @throws ObjectStoreError InvalidKey for an invalid one */
export function checkedKey(key: string): string {
  if (isSafeKey(key)) return key;
  const form = "segments of letters, digits, . _ - joined by /, 240 characters at most";
  throw new ObjectStoreError(
    "InvalidKey",
    `${JSON.stringify(key.slice(0, 240))} is not a key: it must be ${form}`,
  );
}

/**
 * Returns the prefix. @throws ObjectStoreError InvalidKey when no key begins with it, or it doesn't end with a slash
 */
export function checkedPrefix(prefix: string): string {
  checkedKey(prefix.endsWith("/") ? prefix.slice(0, -1) : "");
  return prefix;
}

/**
 * Passes a body on while it stays within its limits.
 * @throws ObjectStoreError ObjectTooLarge with the first byte too many, ObjectTooSmall at the end.
 */
export async function* limitSize(
  key: string,
  body: AsyncIterable<Uint8Array>,
  { minBytes = 0, maxBytes }: SizeLimits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new ObjectStoreError(
        "ObjectTooLarge",
        `${key} is larger than the ${maxBytes} bytes that are allowed`,
      );
    }
    yield chunk;
  }
  if (bytes < minBytes) {
    const message = `${key} has ${bytes} bytes, fewer than the ${minBytes} that are required`;
    throw new ObjectStoreError("ObjectTooSmall", message);
  }
}
