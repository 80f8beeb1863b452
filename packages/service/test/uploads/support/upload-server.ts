import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fastify } from "fastify";
import { openFileStore } from "../../../src/uploads/file-store.ts";
import type { FormTimeouts } from "../../../src/uploads/form.ts";
import { newUploadKey } from "../../../src/uploads/keys.ts";
import type { ObjectStore } from "../../../src/uploads/object-store.ts";
import type { FormField, PresignOptions } from "../../../src/uploads/policy.ts";
import { presignUpload } from "../../../src/uploads/policy.ts";
import { uploadRoutes } from "../../../src/uploads/receive.ts";

export const credential = { id: "LADINGTEST", secret: "a secret of this test" };
export const bucket = "uploads";
const tenant = "65a1b2c3d4e5f60718293a4b";

export interface Write {
  /** Settles when the first bytes of the file have come. */
  begun: Promise<void>;
  /** Settles, and never rejects, when the store is done with it. */
  ended: Promise<PromiseSettledResult<unknown>>;
}

export interface UploadServer {
  store: ObjectStore;
  port: number;
  files(): Promise<string[]>;
  presign(options?: Partial<PresignOptions>): { key: string; url: string; fields: FormField[] };
  nextWrite(): Promise<Write>;
  close(): Promise<void>;
}

interface UploadServerOptions {
  timeouts?: FormTimeouts;
  /** Instead of the store's own. */
  put?: ObjectStore["put"];
  /** Default: every tenant does. */
  tenantExists?: (id: string) => Promise<boolean>;
}

/** A service with nothing but the upload endpoint, over its own file store. */
export async function startUploadServer({
  timeouts,
  put,
  tenantExists = async () => true,
}: UploadServerOptions = {}): Promise<UploadServer> {
  const folder = await mkdtemp(join(tmpdir(), "lading-uploads-"));
  const store = await openFileStore(folder);
  const { readable, writable } = new TransformStream<Write, Write>(undefined, { highWaterMark: 1_000 });
  const [writes, asked] = [readable.getReader(), writable.getWriter()];
  const watched: ObjectStore = {
    ...store,
    put(key, body, limits) {
      const begun = Promise.withResolvers<void>();
      async function* watchedBody() {
        for await (const chunk of body) {
          begun.resolve();
          yield chunk;
        }
      }
      const write = (put ?? store.put)(key, watchedBody(), limits);
      const ended = Promise.allSettled([write]).then(([result]) => result);
      asked.write({ begun: begun.promise, ended });
      return write;
    },
  };
  const app = fastify();
  const publicUrl = "http://127.0.0.1";
  await app.register(uploadRoutes, {
    store: watched,
    credential,
    tenantExists,
    bucket,
    publicUrl: () => publicUrl,
    timeouts,
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return {
    store,
    port,
    files: async () =>
      (await Promise.all(["objects", "incoming"].map((name) => readdir(join(folder, name))))).flat(),
    presign(presign) {
      const key = newUploadKey(tenant, "shop.json", "MASS_OPERATIONS");
      const url = `${publicUrl}:${port}`;
      const defaults = {
        key,
        maxBytes: 1_000,
        lifetimeSeconds: 60,
        publicUrl: url,
        bucket,
        credential,
        now: new Date(),
      };
      return { key, ...presignUpload({ ...defaults, ...presign }) };
    },
    nextWrite: async () => (await writes.read()).value!,
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The form that a client sends: all fields in order, then the file. */
export function formData(fields: FormField[], file: Blob | string = "{}", filename?: string): FormData {
  const form = new FormData();
  for (const { name, value } of fields) form.append(name, value);
  form.append("file", typeof file === "string" ? new Blob([file]) : file, filename);
  return form;
}

export interface Answer {
  status: number;
  code: string | undefined;
  message: string | undefined;
  text: string;
}

export async function send(
  url: string,
  body: FormData | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, { method: "POST", body, headers });
  return answerOf(response.status, await response.text());
}

function answerOf(status: number, text: string): Answer {
  return { status, code: /<Code>(.*?)</.exec(text)?.[1], message: /<Message>(.*?)</.exec(text)?.[1], text };
}

export const boundary = "----a-boundary-of-this-test";

/** One part of a hand-written form; without a type, none is sent. */
export function part(disposition: string, content: string, type?: string): string {
  const header = type === undefined ? "" : `Content-Type: ${type}\r\n`;
  return `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${header}\r\n${content}\r\n`;
}

export const end = `--${boundary}--\r\n`;

export const fieldParts = (fields: FormField[]) =>
  fields.map(({ name, value }) => part(`name="${name}"`, value)).join("");

export const sendRaw = (url: string, body: string) =>
  send(url, body, { "content-type": `multipart/form-data; boundary=${boundary}` });

/** Opens a connection and sends the head of an upload of a given size, and the first part of its body. */
export async function beginUpload(port: number, length: number, body: string, header = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /${bucket} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\n` +
      `Content-Length: ${length}\r\n${header}\r\n${body}`,
  );
  return socket;
}

/** Reads from a connection until the server closes it, gracefully or not. */
export async function answerUntilClosed(socket: Socket): Promise<Answer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
  const text = Buffer.concat(chunks).toString();
  return answerOf(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text);
}
