import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { CliError } from "../exit.ts";
import { unreachable } from "./graphql.ts";

export interface FormFile {
  filename: string;
  contentType: string;
  /** In bytes. Upload stores need the length of a form beforehand. */
  size: number;
  read(): AsyncIterable<Buffer>;
}

/**
 * Posts a multipart form: fields in their order, then the file as the part `file`. The file is never in memory as a
 * whole. `fetch` with a `FormData` would hide early refusals and read faster than it sends (ADR 30).
 */
export async function postForm(
  url: string,
  fields: readonly { name: string; value: string }[],
  file: FormFile,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const boundary = `lading-${randomUUID()}`;
  const head = Buffer.from(headOf(boundary, fields, file));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const send = url.startsWith("https:") ? httpsRequest : httpRequest;
  const request = send(url, {
    method: "POST",
    signal,
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": head.length + file.size + tail.length,
    },
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

function headOf(
  boundary: string,
  fields: readonly { name: string; value: string }[],
  file: FormFile,
): string {
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

async function* parts(head: Buffer, file: FormFile, tail: Buffer): AsyncGenerator<Buffer> {
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
