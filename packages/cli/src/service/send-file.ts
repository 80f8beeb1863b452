import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { CliError } from "../exit.ts";
import { unreachable } from "./graphql.ts";

export interface SentFile {
  filename: string;
  contentType: string;
  /** In bytes. Upload stores need the length of a request beforehand. */
  size: number;
  read(): AsyncIterable<Buffer>;
}

type FormFields = readonly { name: string; value: string }[];

/** A presigned upload request: a form with these fields, or a PUT of the file alone. */
interface UploadRequest {
  method: "POST" | "PUT";
  url: string;
  fields: FormFields;
}

/**
 * Sends a file to an upload store: the fields of a form in their order, then the file as the part `file`; or the file
 * alone. It is never in memory as a whole. `fetch` with a `FormData` would hide early refusals and read faster than it
 * sends (ADR 30).
 */
export async function sendFile(
  { method, url, fields }: UploadRequest,
  file: SentFile,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  // A hostile service may answer any other method, such as DELETE.
  const isForm = method !== "PUT";
  const { head, tail, contentType } = isForm ? formAround(fields, file) : alone(file);
  const send = url.startsWith("https:") ? httpsRequest : httpRequest;
  const request = send(url, {
    method: isForm ? "POST" : "PUT",
    signal,
    headers: { "content-type": contentType, "content-length": head.length + file.size + tail.length },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    request.once("response", resolve).once("error", reject),
  );
  const sent = pipeline(parts(head, file, tail), request);
  try {
    // A store may refuse before it has read everything: its answer counts then, not the broken connection.
    const response = await Promise.race([answered, sent.then(() => answered)]);
    return { status: response.statusCode ?? 0, text: await text(response) };
  } catch (error) {
    throw error instanceof CliError || signal.aborted ? error : unreachable(url, error);
  } finally {
    request.destroy();
    for (const promise of [answered, sent]) promise.catch(() => {});
  }
}

const alone = ({ contentType }: SentFile) => ({ head: Buffer.alloc(0), tail: Buffer.alloc(0), contentType });

function formAround(fields: FormFields, file: SentFile) {
  const boundary = `lading-${randomUUID()}`;
  return {
    head: Buffer.from(headOf(boundary, fields, file)),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

function headOf(boundary: string, fields: FormFields, file: SentFile): string {
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  return [
    ...fields.map(({ name, value }) => `${part(`name="${quoted(name)}"`)}\r\n${value}\r\n`),
    part(`name="file"; filename="${quoted(file.filename)}"`),
    `content-type: ${file.contentType}\r\n\r\n`,
  ].join("");
}

/** Escapes a name like browsers do (HTML standard, "multipart/form-data encoding algorithm"). */
function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

async function* parts(head: Buffer, file: SentFile, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  let bytes = 0;
  for await (const chunk of file.read()) {
    bytes += chunk.length;
    if (bytes > file.size) break;
    yield chunk;
  }
  if (bytes !== file.size) throw new CliError(`${file.filename} changed while it was uploaded`);
  yield tail;
}
