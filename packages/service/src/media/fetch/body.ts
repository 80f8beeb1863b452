import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { headerBytes } from "../image-types.ts";
import type { FetchLimits } from "./limits.ts";

/** A complete body: in memory, or in an unnamed file when it is large. */
export interface Body {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** Its first bytes, at most `headerBytes`. */
  head: Uint8Array;
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

export class UnknownEncoding extends Error {
  override readonly name = "UnknownEncoding";
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Reads a response to its end. Throws and stores nothing if it breaks off. */
export async function readBody(
  response: IncomingMessage,
  limits: Pick<FetchLimits, "bytes" | "memory">,
): Promise<Body> {
  const hash = createHash("sha256");
  const content = keeper(limits.memory);
  let bytes = 0;
  try {
    if (Number(response.headers["content-length"]) > limits.bytes) throw tooLarge(limits.bytes);
    for await (const chunk of decoded(response)) {
      bytes += chunk.length;
      if (bytes > limits.bytes) throw tooLarge(limits.bytes);
      hash.update(chunk);
      await content.add(chunk);
    }
    return { bytes, sha256: hash.digest("hex"), ...content.body() };
  } catch (error) {
    response.destroy();
    await content.close();
    throw error;
  }
}

const tooLarge = (limit: number) => new BodyTooLarge(`it is larger than the limit of ${limit} bytes`);

function decoded(response: IncomingMessage): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return response;
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decoder === undefined)
    throw new UnknownEncoding(`it is encoded as ${JSON.stringify(encoding)}, which is not supported`);
  // An error of the response also ends the decoder.
  return pipeline(response, decoder(), () => {});
}

/** Keeps chunks in memory up to a number of bytes, and then all of them in a file. */
function keeper(memory: number) {
  let chunks: Uint8Array[] = [];
  let head: Uint8Array[] = [];
  let size = 0;
  let file: FileHandle | undefined;
  const close = async () => file?.close();
  return {
    close,
    add: async (chunk: Uint8Array) => {
      if (size < headerBytes) head.push(chunk);
      size += chunk.length;
      if (file === undefined && size <= memory) {
        chunks.push(chunk);
        return;
      }
      file ??= await namelessFile(chunks);
      chunks = [];
      await file.appendFile(chunk);
    },
    body: (): Pick<Body, "head" | "read" | "close"> => {
      const first = Buffer.concat(head).subarray(0, headerBytes);
      head = [];
      const inFile = file;
      return {
        head: first,
        read: inFile
          ? () => inFile.createReadStream({ start: 0, autoClose: false })
          : async function* () {
              yield* chunks;
            },
        close,
      };
    },
  };
}

/** Opens a file that no other process can open, and that a crash doesn't leave behind. */
async function namelessFile(chunks: readonly Uint8Array[]): Promise<FileHandle> {
  const path = join(tmpdir(), `lading-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  try {
    await rm(path);
    for (const chunk of chunks) await file.appendFile(chunk);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
