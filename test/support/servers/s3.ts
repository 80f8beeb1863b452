import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import type { S3Options } from "../../../packages/service/src/settings/settings.ts";
import { listen } from "./port.ts";

/** An S3-compatible server in this process, with one empty bucket. */
export interface S3Server {
  options: S3Options;
  /** Requests so far, such as `GET bytes=0-99`; those of clients only. */
  requests: string[];
  newBucket(): Promise<S3Options>;
  close(): Promise<void>;
}

/**
 * Starts s3rver behind a front that adds what s3rver lacks: conditional requests. It checks neither signatures nor the
 * size of a form.
 */
export async function startS3(): Promise<S3Server> {
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
    void conditionally(incoming, port, () => forward(incoming, port, answer), answer);
  });
  const endpoint = `http://127.0.0.1:${await listen(front)}`;
  let buckets = 0;
  const newBucket = async (): Promise<S3Options> => {
    const bucket = `bucket-${++buckets}`;
    await fetch(`http://127.0.0.1:${port}/${bucket}`, { method: "PUT", headers: { connection: "close" } });
    return { bucket, endpoint, region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
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
  const refuse = () => {
    answer.statusCode = 412;
    answer.setHeader("content-type", "application/xml").end("<Error><Code>PreconditionFailed</Code></Error>");
  };
  if (headers["if-none-match"] === "*") {
    writes = writes.then(async () => ((await etagNow()) === undefined ? go() : refuse()));
    return;
  }
  const etag = headers["if-match"] === undefined ? undefined : await etagNow();
  if (etag !== undefined && etag !== headers["if-match"]) return refuse();
  await go();
}

async function forward(incoming: IncomingMessage, port: number, answer: ServerResponse): Promise<void> {
  const { method, url, headers } = incoming;
  const outgoing = request({ host: "127.0.0.1", port, method, path: url, headers });
  incoming.pipe(outgoing);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve).once("error", reject);
  });
  answer.writeHead(response.statusCode ?? 500, response.headers);
  response.pipe(answer);
  await once(answer, "close");
}
