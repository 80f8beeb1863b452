import { bytesText } from "../../../ui/format.ts";
import type { JobContext, Jobs } from "./jobs.ts";

/** Decompressed bytes are handed to the browser in blobs of this size, which it keeps out of the heap. */
const partBytes = 4 * 1024 ** 2;

/** Decompresses a gzip file. Throws if it is incomplete, or has more than `maxBytes` bytes of content. */
export async function unpack(
  { file, maxBytes }: Jobs["unpack"]["input"],
  { signal, onBytes }: JobContext,
): Promise<Blob> {
  const parts: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, kept] = [0, 0];
  const keep = () => {
    parts.push(new Blob(held));
    held = [];
    kept = bytes;
  };
  for await (const chunk of decompressed(file, signal)) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new Error(`The file has more than ${bytesText(maxBytes)} of JSON, this tenant’s limit`);
    held.push(chunk);
    if (bytes - kept >= partBytes) keep();
    onBytes(bytes);
  }
  keep();
  return new Blob(parts);
}

async function* decompressed(file: Blob, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* chunksOf(file.stream().pipeThrough(new DecompressionStream("gzip")), signal);
  } catch (error) {
    // Browsers throw a TypeError for content that is not gzip.
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`The file is not a complete gzip file: ${error.message}`);
  }
}

/** Yields a stream's chunks. Throws the signal's reason once it is aborted. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
