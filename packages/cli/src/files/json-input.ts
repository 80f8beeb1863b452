import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { addAbortSignal, pipeline, Readable } from "node:stream";
import { pipeline as pipelineEnded } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { type Context, count } from "../context.ts";
import { CliError, exitCode, isAbort } from "../exit.ts";

/** The file argument that means standard input. */
const standardInput = "-";

/** The description of a file argument that `jsonOf` reads. */
export const fileMeaning = "the mass operation file; .gz is decompressed, - is standard input";

const isGzip = (file: string) => file.endsWith(".gz");

/** Returns the name of an input in messages. */
export const inputName = (file: string): string => (file === standardInput ? "<stdin>" : file);

/** Returns the name under which the JSON of an input is uploaded. */
export const uploadName = (file: string): string =>
  file === standardInput ? "stdin.json" : basename(file).replace(/\.gz$/, "");

/**
 * Streams the JSON of a file, of a file compressed by gzip, or of standard input.
 * @param maxBytes the most bytes of JSON, where they are not those of a file on disk; default: any number
 * @throws CliError when it cannot be read, is not whole, or is too long
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

function bytesOf({ stdin, interrupted }: Context, file: string): AsyncIterable<Buffer> {
  if (file === standardInput) {
    if (stdin instanceof Readable) return addAbortSignal(interrupted, stdin);
    throw new CliError("there is no standard input to read");
  }
  const source = createReadStream(file, { signal: interrupted });
  // The callback has nothing to do: reading the result throws the errors of both streams.
  return isGzip(file) ? pipeline(source, createGunzip(), () => {}) : source;
}

function failureOf(error: unknown, file: string): unknown {
  const name = inputName(file);
  const code = errorCode(error);
  if (code === "ENOENT") return new CliError(`there is no file ${name}`);
  if (code === "EISDIR") return new CliError(`${name} is a folder`);
  if (code.startsWith("Z_"))
    return new CliError(`${name} is not a whole gzip file: ${errorMessage(error)}`, exitCode.invalidFile);
  return error instanceof CliError || code === ""
    ? error
    : new CliError(`cannot read ${name}: ${errorMessage(error)}`);
}

/**
 * Calls `use` with the path of an input's JSON: that of the file itself, else of a temporary copy, which is removed
 * afterwards. Only a copy has the limit of `maxBytes`.
 */
export async function withJsonFile(
  context: Context,
  file: string,
  maxBytes: () => Promise<number>,
  use: (path: string) => Promise<void>,
): Promise<void> {
  if (file !== standardInput && !isGzip(file)) return use(file);
  const limit = await maxBytes();
  const folder = await mkdtemp(join(tmpdir(), "lading-")).catch(cannotCopy);
  try {
    const path = join(folder, "operations.json");
    const copy = createWriteStream(path, { mode: 0o600 });
    await pipelineEnded(jsonOf(context, file, limit), copy).catch((error) => {
      throw isAbort(error, context.interrupted) || error instanceof CliError ? error : cannotCopy(error);
    });
    await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cannotCopy(error: unknown): never {
  throw new CliError(`cannot write a temporary file in ${tmpdir()}: ${errorMessage(error)}`);
}
