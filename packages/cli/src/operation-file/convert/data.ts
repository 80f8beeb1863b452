import { Readable } from "node:stream";
import type { Context } from "../../context.ts";
import { isAbort } from "../../exit.ts";
import { decompressed, failureOf, isGzip, storedBytes } from "../../files/json-input.ts";

/** The two bytes that a gzip file begins with. */
const gzipMark = [0x1f, 0x8b];

/**
 * Streams a file or standard input, decompressed where its name or its first bytes say that it is gzip.
 * @throws CliError when it cannot be read, or is incomplete
 */
export async function* dataOf(context: Context, file: string): AsyncGenerator<Buffer> {
  try {
    const source = storedBytes(context, file);
    if (isGzip(file)) yield* decompressed(source);
    else yield* unpacked(source);
  } catch (error) {
    throw isAbort(error, context.interrupted) ? error : failureOf(error, file);
  }
}

async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    let first = Buffer.alloc(0);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      first = Buffer.concat([first, next.value]);
      if (first.length >= gzipMark.length) break;
    }
    const whole = startingWith(first, chunks);
    yield* gzipMark.every((byte, at) => first[at] === byte) ? decompressed(Readable.from(whole)) : whole;
  } finally {
    await chunks.return?.();
  }
}

async function* startingWith(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}
