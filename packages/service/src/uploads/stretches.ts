import { createHash } from "node:crypto";
import type { ClaimedTask } from "../storage/bulk-tasks/claims/claimed-task.ts";
import { type ObjectStore, storeErrors } from "../uploads/object-store.ts";

/** Length of a separately hashed stretch, in bytes; the last may be shorter. Stored hashes depend on it. */
export const stretchBytes = 1024 * 1024;
/** Stored bytes of each SHA-256, which is the fastest hash because processors have instructions for it. */
const hashBytes = 16;

const hashOf = (chunks: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest().subarray(0, hashBytes);
};

/** Cuts a stream into stretches, each as the chunks it arrived in. */
async function* inStretches(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let chunks: Uint8Array[] = [];
  let missing = stretchBytes;
  for await (let chunk of stream)
    while (chunk.length > 0) {
      const part = chunk.subarray(0, missing);
      chunk = chunk.subarray(part.length);
      chunks.push(part);
      missing -= part.length;
      if (missing > 0) continue;
      yield chunks;
      chunks = [];
      missing = stretchBytes;
    }
  if (chunks.length > 0) yield chunks;
}

export function stretchHashes(): { add(chunk: Uint8Array): void; base64(): string } {
  const hashes: Buffer[] = [];
  let hash = createHash("sha256");
  let missing = stretchBytes;
  const end = () => {
    hashes.push(hash.digest().subarray(0, hashBytes));
    hash = createHash("sha256");
    missing = stretchBytes;
  };
  return {
    add(chunk) {
      for (let rest = chunk; rest.length > 0; ) {
        const part = rest.subarray(0, missing);
        rest = rest.subarray(part.length);
        hash.update(part);
        missing -= part.length;
        if (missing === 0) end();
      }
    },
    base64() {
      if (missing < stretchBytes) end();
      return Buffer.concat(hashes).toString("base64");
    },
  };
}

/** A task's file, and what validation recorded of it. */
export type ValidatedFile = Pick<ClaimedTask, "key" | "etag" | "stretchHashes">;

/**
 * Reads the file of a validated task from an offset. Each stretch is buffered until its hash has been compared with the
 * one from validation; the stretch that contains the offset is read from its beginning.
 * Throws the store's errors, and `ObjectChanged` for a stretch with another hash.
 */
export async function* readValidated(
  store: Pick<ObjectStore, "read">,
  { key, etag, stretchHashes }: ValidatedFile,
  offset: number,
): AsyncGenerator<Uint8Array> {
  // A task that was pruned meanwhile has neither hashes nor a file.
  const hashes = Buffer.from(stretchHashes ?? "", "base64");
  let number = Math.floor(offset / stretchBytes);
  const start = number * stretchBytes;
  let skip = offset - start;
  for await (const chunks of inStretches(store.read(key, { start, etag }))) {
    const expected = hashes.subarray(number * hashBytes, ++number * hashBytes);
    if (!hashOf(chunks).equals(expected)) throw storeErrors.changed(key);
    for (const chunk of chunks) {
      if (skip < chunk.length) yield chunk.subarray(skip);
      skip = Math.max(0, skip - chunk.length);
    }
  }
  if (number * hashBytes < hashes.length) throw storeErrors.changed(key);
}
