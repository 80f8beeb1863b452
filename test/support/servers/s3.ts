import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import S3rver from "@20minutes/s3rver";
import type { S3Options } from "../../../packages/service/src/settings/settings.ts";
import { UploadRefused } from "../../../packages/service/src/uploads/verify.ts";
import { listen } from "./port.ts";
import { checkForm, checkPresigned } from "./s3-checks.ts";

/** An S3-compatible server in this process, with one empty bucket. */
export interface S3Server {
  options: S3Options;
  /** Requests so far, such as `GET bytes=0-99`; those of clients only. */
  requests: string[];
  newBucket(): Promise<S3Options>;
  close(): Promise<void>;
}

/** Behaviour of a store towards the files of clients. */
interface Uploading {
  /** Checks presigned requests and forms as S3 does: their signature, expiry and size. Default: as s3rver, nothing. */
  isStrict?: boolean;
  /** False for 501 to every form, as from Cloudflare R2. */
  takesForms?: boolean;
}

const credential = { id: "S3RVER", secret: "S3RVER" };

/** Starts s3rver behind a front that adds what s3rver lacks: conditional requests, and checks of what is presigned. */
export async function startS3(uploading: Uploading = {}): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "lading-s3-"));
  const s3 = new S3rver({
    ...{ directory, silent: true, address: "127.0.0.1", port: 0, vhostBuckets: false },
    // It computes other signatures than AWS for addresses of a bucket.
    allowMismatchedSignatures: true,
  });
  const { port } = await s3.run();
  const requests: string[] = [];
  const front = createServer((incoming, answer) => {
    requests.push(`${incoming.method} ${incoming.headers.range ?? ""}`.trim());
    void conditionally(incoming, port, () => take(incoming, port, answer, uploading), answer);
  });
  const endpoint = `http://127.0.0.1:${await listen(front)}`;
  let buckets = 0;
  const newBucket = async (): Promise<S3Options> => {
    const bucket = `bucket-${++buckets}`;
    await fetch(`http://127.0.0.1:${port}/${bucket}`, { method: "PUT", headers: { connection: "close" } });
    return {
      bucket,
      endpoint,
      region: "us-east-1",
      accessKeyId: credential.id,
      secretAccessKey: credential.secret,
    };
  };
  return {
    options: await newBucket(),
    requests,
    newBucket,
    close: async () => {
      front.closeAllConnections();
      front.close();
      await s3.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Conditional writes one after the other, so that of two only one finds the key free. */
let writes = Promise.resolve();

/** Answers 412 where `If-None-Match: *` or `If-Match` does not hold; else calls `go`. */
async function conditionally(
  { headers, url = "" }: IncomingMessage,
  port: number,
  go: () => Promise<void>,
  answer: ServerResponse,
): Promise<void> {
  const etagNow = async () => {
    const response = await fetch(`http://127.0.0.1:${port}${url.split("?")[0]}`, {
      method: "HEAD",
      headers: { connection: "close" },
    });
    return response.ok ? response.headers.get("etag") : undefined;
  };
  const refuse = () => refuseWith(answer, 412, "PreconditionFailed");
  if (headers["if-none-match"] === "*") {
    writes = writes.then(async () => ((await etagNow()) === undefined ? go() : refuse()));
    return;
  }
  const etag = headers["if-match"] === undefined ? undefined : await etagNow();
  if (etag !== undefined && etag !== headers["if-match"]) return refuse();
  await go();
}

function refuseWith(answer: ServerResponse, status: number, code: string, message = ""): void {
  const xml = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  answer.writeHead(status, { "content-type": "application/xml", connection: "close" }).end(xml);
}

/** Checks a file of a client, if there is one, and forwards the request. */
async function take(
  incoming: IncomingMessage,
  port: number,
  answer: ServerResponse,
  { isStrict = false, takesForms = true }: Uploading,
): Promise<void> {
  const isForm = incoming.headers["content-type"]?.startsWith("multipart/form-data");
  if (isForm && !takesForms) return refuseWith(answer, 501, "NotImplemented");
  const body = isForm && isStrict ? await buffer(incoming) : undefined;
  try {
    if (body !== undefined) await checkForm(incoming, body, credential);
    else if (isStrict && incoming.url?.includes("X-Amz-Signature=")) checkPresigned(incoming, credential);
  } catch (error) {
    if (!(error instanceof UploadRefused)) throw error;
    return refuseWith(answer, error.statusCode, error.code, error.message);
  }
  await forward(incoming, port, answer, body);
}

async function forward(
  incoming: IncomingMessage,
  port: number,
  answer: ServerResponse,
  body?: Buffer,
): Promise<void> {
  const { method, url, headers } = incoming;
  const outgoing = request({ host: "127.0.0.1", port, method, path: url, headers });
  if (body === undefined) incoming.pipe(outgoing);
  else outgoing.end(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve).once("error", reject);
  });
  answer.writeHead(response.statusCode ?? 500, response.headers);
  response.pipe(answer);
  await once(answer, "close");
}
