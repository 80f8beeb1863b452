import { createHash } from "node:crypto";
import { limitSize, type ObjectStore, ObjectStoreError } from "../../src/uploads/object-store.ts";

/** An object store in memory, for tests that are about something else. */
export interface MemoryStore extends ObjectStore {
  readonly objects: ReadonlyMap<string, Buffer>;
}

export function memoryStore(): MemoryStore {
  const objects = new Map<string, Buffer>();
  const described = (bytes: Buffer) => ({
    bytes: bytes.length,
    etag: createHash("sha256").update(bytes).digest("hex"),
  });
  return {
    objects,
    async put(key, body, limits) {
      const bytes = Buffer.concat(await Array.fromAsync(limitSize(key, body, limits)));
      if (objects.has(key)) throw new ObjectStoreError("ObjectExists", `${key} exists`);
      objects.set(key, bytes);
      return described(bytes);
    },
    async stat(key) {
      const bytes = objects.get(key);
      return bytes && described(bytes);
    },
    async *read(key, { start = 0 } = {}) {
      const bytes = objects.get(key);
      if (bytes === undefined) throw new ObjectStoreError("ObjectMissing", `there is no object ${key}`);
      yield bytes.subarray(start);
    },
    async delete(key) {
      objects.delete(key);
    },
    async deleteAll(prefix) {
      for (const key of objects.keys()) if (key.startsWith(prefix)) objects.delete(key);
    },
  };
}
