import { randomUUID } from "node:crypto";
import { checkedKey, checkedPrefix, limitSize, type ObjectStore, storeErrors } from "./object-store.ts";

interface MemoryObject {
  content: Buffer;
  etag: string;
}

/** An object store in memory that shows what it holds. */
export interface MemoryStore extends ObjectStore {
  readonly objects: ReadonlyMap<string, MemoryObject>;
}

const chunkBytes = 256 * 1024;

/** Opens an empty object store in memory. It is gone with the last reference to it. */
export function openMemoryStore(): MemoryStore {
  const objects = new Map<string, MemoryObject>();
  const describe = ({ content, etag }: MemoryObject) => ({ bytes: content.length, etag });
  return {
    objects,
    put: async (key, body, limits) => {
      if (objects.has(checkedKey(key))) throw storeErrors.exists(key);
      const content = Buffer.concat(await Array.fromAsync(limitSize(key, body, limits)));
      if (objects.has(key)) throw storeErrors.exists(key); // Another writer was faster.
      const object = { content, etag: randomUUID() };
      objects.set(key, object);
      return describe(object);
    },
    stat: async (key) => {
      const object = objects.get(checkedKey(key));
      return object && describe(object);
    },
    read: async function* (key, { start = 0, end = Number.POSITIVE_INFINITY, etag } = {}) {
      const pinned = objects.get(checkedKey(key));
      if (pinned === undefined) throw storeErrors.missing(key);
      if (etag !== undefined && etag !== pinned.etag) throw storeErrors.changed(key);
      const { content } = pinned;
      if (start > content.length) throw storeErrors.beyond(key, start, content.length);
      const stop = Math.min(end, content.length);
      for (let from = start; from < stop; from += chunkBytes) {
        const current = objects.get(key);
        if (current === undefined) throw storeErrors.missing(key);
        if (current !== pinned) throw storeErrors.changed(key);
        yield content.subarray(from, Math.min(from + chunkBytes, stop));
      }
    },
    list: async function* (prefix) {
      for (const [key, { content }] of objects)
        if (key.startsWith(prefix)) yield { key, bytes: content.length };
    },
    delete: async (key) => {
      objects.delete(checkedKey(key));
    },
    deleteAll: async (prefix) => {
      const begin = checkedPrefix(prefix);
      for (const key of objects.keys()) if (key.startsWith(begin)) objects.delete(key);
    },
  };
}
