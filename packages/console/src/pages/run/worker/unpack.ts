import { BlobWriter } from "./blob-writer.ts";
import type { JobContext, Jobs } from "./jobs.ts";

/** Decompresses a gzip file. Throws if it is incomplete, or has more than `maxBytes` bytes of content. */
export async function unpack(
  { file, maxBytes }: Jobs["unpack"]["input"],
  { signal, onBytes }: JobContext,
): Promise<Blob> {
  const content = new BlobWriter(maxBytes);
  for await (const chunk of decompressed(file.stream(), signal)) {
    content.add(chunk);
    onBytes(content.bytes);
  }
  return content.end();
}

/** The first two bytes of gzip (RFC 1952, 2.3.1); no JSON and no table begins with them. */
const gzipMagic = [0x1f, 0x8b];

export async function isGzip(file: Blob): Promise<boolean> {
  const first = new Uint8Array(await file.slice(0, gzipMagic.length).arrayBuffer());
  return gzipMagic.every((byte, i) => first[i] === byte);
}

/** Yields the chunks of a gzip file's content. Throws if it is incomplete. */
export async function* decompressed(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* chunksOf(stream.pipeThrough(new DecompressionStream("gzip")), signal);
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
