import type { IncomingMessage } from "node:http";
import { finished, type Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { errorMessage } from "../system/thrown.ts";
import { UploadRefused } from "./verify.ts";

/** Time limits for clients, in milliseconds. */
export interface FormTimeouts {
  /** The longest time without a single byte. */
  idle: number;
  /** The longest time for the whole form. */
  total: number;
}

const limits = { files: 1, fields: 20, fieldSize: 20_000, parts: 30, headerPairs: 20, headerSize: 8_000 };

/** Limit of bytes before the file: all fields at their limits and the markup around them. */
const maxBytesBeforeFile = 500_000;

const ignore = () => {};

/**
 * Reads an upload form (multipart/form-data, RFC 7578). At the part named `file`, whatever its filename and type, it
 * passes the fields so far, with lower-case names, and the bytes of the file to `accept`, and returns its result.
 * Fields after the file have no effect, as in S3. The bytes end only after the whole form was valid: they throw when
 * the client disconnects, stalls or sends a malformed form, so that `accept` never stores half a file.
 *
 * When it rejects, `accept` has ended, the rest of the request is being discarded, and an answer can still be sent.
 * @throws UploadRefused 400 MalformedPOSTRequest, InvalidArgument, MaxPostPreDataLengthExceeded, IncompleteBody or
 * RequestTimeout; and whatever `accept` throws.
 */
export async function receiveForm<T>(
  request: IncomingMessage,
  timeouts: FormTimeouts,
  accept: (fields: ReadonlyMap<string, string>, file: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const parser = openParser(request);
  const form = Promise.withResolvers<void>();
  const fields = new Map<string, string>();
  let file: Readable | undefined;
  let failed = false;
  let accepted: Promise<T> | undefined;

  function fail(error: Error): void {
    failed = true;
    form.reject(error);
    file?.destroy(error);
  }

  parser.on("field", (name, value, _nameCut, valueCut) => {
    const problem = addField(fields, name, value, valueCut);
    if (problem && !file) fail(problem);
  });
  parser.on("file", (_name, stream) => {
    stream.on("error", ignore);
    if (failed) return void stream.resume();
    file = stream;
    accepted = accept(fields, untilFormEnds(stream, form.promise));
    accepted.catch(fail);
  });
  parser.on("finish", () => (file ? form.resolve() : fail(invalid("The form has no part named file."))));
  failOnMisuse(parser, fail);
  const stopWatching = failOnSilence(request, timeouts, fail);
  limitBytes(request, maxBytesBeforeFile, () => file === undefined, fail);
  request.pipe(parser);

  try {
    await form.promise;
    return await accepted!;
  } finally {
    stopWatching();
    await accepted?.catch(ignore);
    discardRest(request, timeouts.idle);
  }
}

function openParser(request: IncomingMessage): BusboyInstance {
  const isPartAFile = (name: string | undefined) => name?.toLowerCase() === "file";
  try {
    const contentType = request.headers["content-type"] ?? "";
    if (!/^multipart\/form-data\b/i.test(contentType)) throw new Error("wrong Content-Type");
    return Busboy({ headers: { ...request.headers, "content-type": contentType }, isPartAFile, limits });
  } catch (error) {
    throw malformed(error);
  }
}

/** Adds a field. Returns the problem, if the field has one. */
function addField(fields: Map<string, string>, name: string | undefined, value: string, cut: boolean) {
  if (name === undefined) return malformed("a part has no name");
  if (cut) return tooMuch(`A field is longer than ${limits.fieldSize} bytes.`);
  if (fields.has(name.toLowerCase())) return invalid("A field is given twice.");
  fields.set(name.toLowerCase(), value);
}

async function* untilFormEnds(file: Readable, form: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* file;
  await form;
}

function failOnMisuse(parser: BusboyInstance, fail: (error: Error) => void): void {
  parser.on("error", (error) => fail(malformed(error)));
  parser.on("filesLimit", () => fail(invalid("The form has more than one part named file.")));
  parser.on("fieldsLimit", () => fail(tooMuch(`The form has more than ${limits.fields} fields.`)));
  parser.on("partsLimit", () => fail(tooMuch(`The form has more than ${limits.parts} parts.`)));
}

/** Fails when the client is gone, sends nothing or takes too long. Returns a function that stops watching. */
function failOnSilence(request: IncomingMessage, timeouts: FormTimeouts, fail: (error: Error) => void) {
  const late = (what: string, ms: number) => () =>
    fail(new UploadRefused(400, "RequestTimeout", `${what} ${ms} ms.`));
  const idle = setTimeout(late("Nothing was received for", timeouts.idle), timeouts.idle);
  const total = setTimeout(late("The upload took longer than", timeouts.total), timeouts.total);
  request.on("data", () => idle.refresh());
  finished(request, { writable: false }, (error) => {
    if (error) fail(new UploadRefused(400, "IncompleteBody", "The connection ended before the form did."));
  });
  return () => {
    clearTimeout(idle);
    clearTimeout(total);
  };
}

function limitBytes(
  request: IncomingMessage,
  most: number,
  applies: () => boolean,
  fail: (error: Error) => void,
) {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most && applies()) fail(tooMuch(`More than ${most} bytes precede the file.`));
  });
}

/** Reads the rest of a request for a limited time: most clients read no answer before they have sent everything. */
function discardRest(request: IncomingMessage, ms: number): void {
  request.unpipe();
  request.resume();
  if (request.readableEnded || request.destroyed) return;
  const timeout = setTimeout(() => request.destroy(), ms);
  finished(request, { writable: false }, () => clearTimeout(timeout));
}

const malformed = (reason: unknown) => {
  const message = `The body is not well-formed multipart/form-data: ${errorMessage(reason)}.`;
  return new UploadRefused(400, "MalformedPOSTRequest", message);
};
const invalid = (message: string) => new UploadRefused(400, "InvalidArgument", message);
const tooMuch = (message: string) => new UploadRefused(400, "MaxPostPreDataLengthExceeded", message);
