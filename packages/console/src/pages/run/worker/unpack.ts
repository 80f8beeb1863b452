import { bytesText } from "../bytes-text.ts";
import { chunksOf } from "./chunks.ts";
import type { JobContext, Jobs } from "./jobs.ts";

/** Bytes after which what was decompressed is handed to the browser, which keeps it out of the heap. */
const partBytes = 4 * 1024 ** 2;

/** Decompresses a file of gzip. Throws when it is not a whole one, or has more than `maxBytes` bytes of content. */
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
      throw new Error(`The file has more than ${bytesText(maxBytes)} of JSON, the limit of this tenant`);
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
    // What a browser throws for content that is not that of gzip.
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`The file is not one whole gzip file: ${error.message}`);
  }
}
