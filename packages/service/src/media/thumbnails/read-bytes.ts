import type { Readable } from "node:stream";

/** Reads a number of bytes, at least one; undefined when the stream ends before. */
export async function readBytes(stream: Readable, count: number): Promise<Buffer | undefined> {
  for (;;) {
    const bytes: Buffer | null = stream.read(count);
    if (bytes !== null) return bytes.length === count ? bytes : undefined;
    if (stream.readableEnded || stream.destroyed) return undefined;
    await nextEvent(stream);
  }
}

const events = ["readable", "end", "close"];

function nextEvent(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}
