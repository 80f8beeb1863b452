import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { addAbortSignal, pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { type Context, count } from "../context.ts";
import { CliError, exitCode, isAbort } from "../exit.ts";

const standardInput = "-";

/** The description of a file argument that `jsonOf` reads. */
export const fileMeaning = "the mass operation file; .gz is decompressed, - is standard input";

/** Maximum size of a compressed file's JSON, in bytes: a new tenant's upload limit. */
export const largestJson = 1024 ** 3;

export const isGzip = (file: string) => /\.gz$/i.test(file);

export const inputName = (file: string): string => (file === standardInput ? "<stdin>" : file);

export const uploadName = (file: string): string =>
  file === standardInput ? "stdin.json" : basename(file).replace(/\.gz$/i, "");

/**
 * Streams the JSON of a file, of a file compressed by gzip, or of standard input.
 * @param maxBytes limit of the JSON's size, except for a file on disk; default: none
 * @throws CliError when it cannot be read, is incomplete, or is too long
 */
export async function* jsonOf(
  context: Context,
  file: string,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of bytesOf(context, file)) {
      bytes += chunk.length;
      if (bytes > maxBytes && (isGzip(file) || file === standardInput))
        throw new CliError(`${inputName(file)} has more than ${count(maxBytes)} bytes of JSON, the limit`);
      yield chunk;
    }
  } catch (error) {
    throw isAbort(error, context.interrupted) ? error : failureOf(error, file);
  }
}

function bytesOf(context: Context, file: string): AsyncIterable<Buffer> {
  const source = storedBytes(context, file);
  return isGzip(file) ? decompressed(source) : source;
}

/** Streams a file or standard input as it is. */
export function storedBytes({ stdin, interrupted }: Context, file: string): Readable {
  if (file !== standardInput) return createReadStream(file, { signal: interrupted });
  if (stdin instanceof Readable) return addAbortSignal(interrupted, stdin);
  throw new CliError("there is no standard input to read");
}

// The callback has nothing to do: reading the result throws the errors of both streams.
export const decompressed = (source: Readable): Readable => pipeline(source, createGunzip(), () => {});

/** Turns a known error of reading an input into a `CliError`; returns any other as it is. */
export function failureOf(error: unknown, file: string): unknown {
  const name = inputName(file);
  const code = errorCode(error);
  if (code === "ENOENT") return new CliError(`there is no file ${name}`);
  if (code === "EISDIR") return new CliError(`${name} is a folder`);
  if (code.startsWith("Z_"))
    return new CliError(`${name} is not a complete gzip file: ${errorMessage(error)}`, exitCode.invalidFile);
  return error instanceof CliError || code === ""
    ? error
    : new CliError(`cannot read ${name}: ${errorMessage(error)}`);
}

/** Ends the stream with an AbortError on Ctrl-C. */
export async function* untilInterrupted(
  { interrupted }: Context,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    interrupted.throwIfAborted();
    yield chunk;
  }
}

/** The JSON of an input, which can be read any number of times. */
export interface JsonFile {
  /** In bytes. */
  size: number;
  read(): AsyncIterable<Buffer>;
}

/**
 * Calls `use` with an input's JSON: a file on disk as it is, anything else (standard input, a compressed file, a pipe)
 * as an unlinked temporary copy, which goes with the process. Only a copy has the limit of `maxBytes`.
 */
export async function withJsonFile<Result>(
  context: Context,
  file: string,
  maxBytes: () => Promise<number>,
  use: (json: JsonFile) => Promise<Result>,
): Promise<Result> {
  const handle = (await openFile(file)) ?? (await copyOf(context, file, await maxBytes()));
  try {
    const { size } = await handle.stat();
    return await use({ size, read: () => chunksOf(handle) });
  } finally {
    await handle.close();
  }
}

/** Maximum bytes per read. */
const chunkSize = 64 * 1024;

/** Reads a file from its beginning. A stream of the handle would keep it from being closed. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(chunkSize);
    const { bytesRead } = await handle.read(chunk, 0, chunkSize, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** Opens the JSON of a file on disk; undefined for an input that must be copied. */
async function openFile(file: string): Promise<FileHandle | undefined> {
  if (file === standardInput || isGzip(file)) return undefined;
  try {
    const status = await stat(file);
    if (status.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return status.isFile() ? await open(file) : undefined;
  } catch (error) {
    throw failureOf(error, file);
  }
}

async function copyOf(context: Context, file: string, limit: number): Promise<FileHandle> {
  const copy = await openNameless().catch(cannotCopy);
  try {
    await writeFile(copy, jsonOf(context, file, limit));
    return copy;
  } catch (error) {
    await copy.close();
    throw isAbort(error, context.interrupted) || error instanceof CliError ? error : cannotCopy(error);
  }
}

/** Opens an empty unlinked file. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "lading-"));
  try {
    return await open(join(folder, "operations.json"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function cannotCopy(error: unknown): never {
  throw new CliError(
    `cannot write a temporary file in ${tmpdir()}: ${errorMessage(error)}; TMPDIR names another folder`,
  );
}

/** Parses the JSON of a file. @throws CliError that names the position at which it is none, and why */
export async function parseJson(text: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { readJson } = await import("@lading/schema/internal");
    const problem = readJson(text).problems?.[0];
    throw new CliError(
      problem === undefined
        ? `${file} is not JSON: ${errorMessage(error)}`
        : `${file}:${problem.line}:${problem.column} is not JSON: ${problem.message}`,
      exitCode.invalidFile,
    );
  }
}
