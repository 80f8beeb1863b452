import { once } from "node:events";
import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FormField } from "../../src/uploads/policy.ts";
import type { UploadServer } from "./support/upload-server.ts";
import {
  answerUntilClosed,
  beginUpload,
  boundary,
  bucket,
  end,
  fieldParts,
  formData,
  part,
  send,
  startUploadServer,
} from "./support/upload-server.ts";

const fileHead = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="blob"\r\n\r\n`;

describe("an upload that does not come to its end", () => {
  let server: UploadServer;
  beforeEach(async () => {
    server = await startUploadServer({ timeouts: { idle: 300, total: 1_000 } });
  });
  afterEach(() => server.close());

  /** Sends half of a file and disconnects; answers how the write of it ended. */
  async function sendHalf(fields: FormField[]): Promise<PromiseSettledResult<unknown>> {
    const half = `${fieldParts(fields)}${fileHead}half of the file`;
    const socket = await beginUpload(server.port, 100_000, half);
    const write = await server.nextWrite();
    await write.begun;
    socket.destroy();
    return write.ended;
  }

  test("an upload leaves nothing behind when the client disconnects in the middle of the file", async () => {
    const { fields, key } = server.presign();
    expect(await sendHalf(fields)).toMatchObject({ status: "rejected", reason: { code: "IncompleteBody" } });
    expect(await server.files()).toEqual([]);
    expect(await server.store.stat(key)).toBeUndefined();
  });

  test("an upload that was cut off can be repeated to the same key", async () => {
    const { url, fields, key } = server.presign();
    await sendHalf(fields);
    expect(await send(url, formData(fields, "whole"))).toMatchObject({ status: 201 });
    expect(await server.store.stat(key)).toMatchObject({ bytes: 5 });
  });

  test.each([
    ["in the file", (fields: string) => `${fields}${fileHead}half of the file`],
    ["behind the file", (fields: string) => `${fields}${part('name="file"', "whole")}--${boundary}\r\n`],
    ["in a field", (fields: string) => fields.slice(0, -10)],
    ["before everything", () => ""],
  ])(
    "an upload is cut off, with the reason, and forgotten if the client is silent %s",
    async (_where, body) => {
      const { fields, key } = server.presign();
      const socket = await beginUpload(server.port, 100_000, body(fieldParts(fields)));
      const answer = await answerUntilClosed(socket);
      expect(answer).toMatchObject({
        status: 400,
        code: "RequestTimeout",
        message: "Nothing was received for 300 ms.",
      });
      expect(await server.store.stat(key)).toBeUndefined();
      expect(await server.files()).toEqual([]);
    },
  );

  test("an upload is cut off, with the reason, and forgotten when the client never finishes", async () => {
    const { fields } = server.presign({ maxBytes: 1_000_000 });
    const socket = await beginUpload(server.port, 100_000, `${fieldParts(fields)}${fileHead}`);
    const drip = setInterval(() => socket.write("x"), 50);
    const answer = await answerUntilClosed(socket).finally(() => clearInterval(drip));
    expect(answer).toMatchObject({ status: 400, code: "RequestTimeout" });
    expect(answer.message).toBe("The upload took longer than 1000 ms.");
    expect(await server.files()).toEqual([]);
  });

  test("an upload with a wrong field is refused immediately, whatever becomes of the file", async () => {
    const { fields } = server.presign();
    const twice = fieldParts([...fields, ...fields.slice(0, 1)]);
    const answer = await answerUntilClosed(
      await beginUpload(server.port, 100_000, `${twice}${fileHead}half`),
    );
    expect(answer).toMatchObject({ status: 400, message: "A field is given twice." });
    expect(await server.files()).toEqual([]);
  });

  test("an upload is cut off when the client keeps sending what was refused", async () => {
    const { fields } = server.presign({ maxBytes: 5 });
    const socket = await beginUpload(server.port, 1_000_000_000, `${fieldParts(fields)}${fileHead}123456`);
    const drip = setInterval(() => socket.write("x".repeat(1_000)), 20);
    const answer = await answerUntilClosed(socket).finally(() => clearInterval(drip));
    expect(answer).toMatchObject({ status: 400, code: "EntityTooLarge" });
    expect(await server.files()).toEqual([]);
  });
});

describe("a refusal", () => {
  test("a refusal reaches a client that reads nothing before it has sent all, and closes the connection", async () => {
    const server = await startUploadServer();
    const { fields } = server.presign({ maxBytes: 5 });
    const head = `${fieldParts(fields)}${fileHead}`;
    const socket = await beginUpload(server.port, head.length + 20_000_000, head, "Connection: close\r\n");
    for (let sent = 0; sent < 20; sent++) {
      if (!socket.write("x".repeat(1_000_000))) await once(socket, "drain");
    }
    const [answer] = await once(socket, "data");
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 .*EntityTooLarge/s);
    socket.destroy();
    await server.close();
  });
});

describe("an upload of 256 MB", () => {
  const megabyte = Buffer.alloc(1_000_000, "x");

  /** Sends a number of megabytes; returns the status and the growth of memory meanwhile, in bytes. */
  async function upload(
    server: UploadServer,
    megabytes: number,
  ): Promise<{ status: number; growth: number }> {
    const { fields } = server.presign({ maxBytes: megabytes * 1_000_000 });
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
    const sending = request({ port: server.port, path: `/${bucket}`, method: "POST", headers });
    const answered = once(sending, "response");
    sending.write(`${fieldParts(fields)}${fileHead}`);
    const before = process.memoryUsage.rss();
    let most = before;
    for (let sent = 0; sent < megabytes; sent++) {
      if (!sending.write(megabyte)) await once(sending, "drain");
      most = Math.max(most, process.memoryUsage.rss());
    }
    sending.end(`\r\n${end}`);
    const [response] = await answered;
    response.resume();
    return { status: response.statusCode, growth: most - before };
  }

  test("an upload of 256 MB goes to the disk without being held in memory", { tags: "release" }, async () => {
    const server = await startUploadServer();
    await upload(server, 16); // so that what the first upload alone needs does not count
    const { status, growth } = await upload(server, 256);
    expect(status).toBe(201);
    expect(growth).toBeLessThan(128_000_000); // dead buffers wait for their collection up to about 64 MB
    await server.close();
  });
});

describe("a fault of the store", () => {
  test("a failure of the store is answered 500 with a request id and without its reason", async () => {
    const put = async () => Promise.reject(new Error("no space left in /secret/path"));
    const server = await startUploadServer({ put });
    const { url, fields } = server.presign();
    const answer = await send(url, formData(fields));
    expect(answer).toMatchObject({ status: 500, code: "InternalError" });
    expect(answer.text).toMatch(/<RequestId>.+<\/RequestId>/);
    expect(answer.text).not.toMatch(/secret/);
    await server.close();
  });
});

describe("an upload for a tenant that was deleted", () => {
  let server: UploadServer;
  let exists = true;
  beforeEach(async () => {
    exists = true;
    server = await startUploadServer({ tenantExists: async () => exists });
  });
  afterEach(() => server.close());

  const refusal = {
    status: 404,
    code: "TenantNotFound",
    message: "There is no such tenant: it was deleted.",
  };

  test("an upload for a deleted tenant is refused before anything is stored", async () => {
    const { url, fields } = server.presign();
    exists = false;
    expect(await send(url, formData(fields))).toMatchObject(refusal);
    expect(await server.files()).toEqual([]);
  });

  test("an upload is refused at its end, and leaves nothing, when the tenant is deleted meanwhile", async () => {
    const { fields } = server.presign();
    const [begin, rest] = [`${fieldParts(fields)}${fileHead}half of the `, `file\r\n${end}`];
    const length = Buffer.byteLength(begin + rest);
    const socket = await beginUpload(server.port, length, begin, "Connection: close\r\n");
    const write = await server.nextWrite();
    await write.begun;
    exists = false;
    socket.write(rest);
    expect(await answerUntilClosed(socket)).toMatchObject(refusal);
    expect(await write.ended).toMatchObject({ status: "fulfilled" });
    expect(await server.files()).toEqual([]);
  });
});
