import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
  beforeAll(async () => {
    server = await startUploadServer({ timeouts: { idle: 300, total: 1_000 } });
  });
  afterAll(() => server.close());

  test("leaves nothing behind when the client disconnects in the middle of the file", async () => {
    const { fields, key } = server.presign();
    const socket = await beginUpload(
      server.port,
      100_000,
      `${fieldParts(fields)}${fileHead}half of the file`,
    );
    const write = server.nextWrite();
    while ((await server.files()).length === 0) await new Promise(setImmediate);
    socket.destroy();
    expect(await write).toMatchObject({ status: "rejected", reason: { code: "IncompleteBody" } });
    expect(await server.files()).toEqual([]);
    expect(await server.store.stat(key)).toBeUndefined();
  });

  test("can be repeated to the same key", async () => {
    const { url, fields, key } = server.presign();
    const socket = await beginUpload(
      server.port,
      100_000,
      `${fieldParts(fields)}${fileHead}half of the file`,
    );
    const write = server.nextWrite();
    socket.destroy();
    await write;
    expect(await send(url, formData(fields, "whole"))).toMatchObject({ status: 201 });
    await server.nextWrite();
    expect(await server.store.stat(key)).toMatchObject({ bytes: 5 });
    await server.store.delete(key);
  });

  test.each([
    ["in the file", (fields: string) => `${fields}${fileHead}half of the file`],
    ["behind the file", (fields: string) => `${fields}${part('name="file"', "whole")}`],
    ["in a field", (fields: string) => fields.slice(0, -10)],
    ["before everything", () => ""],
  ])("is told so, cut off and forgotten when the client is silent %s", async (_where, body) => {
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
  });

  test("is told so, cut off and forgotten when the client is never done", async () => {
    const { fields } = server.presign({ maxBytes: 1_000_000 });
    const socket = await beginUpload(server.port, 100_000, `${fieldParts(fields)}${fileHead}`);
    const drip = setInterval(() => socket.write("x"), 50);
    socket.on("error", () => {});
    const answer = await answerUntilClosed(socket).finally(() => clearInterval(drip));
    expect(answer).toMatchObject({ status: 400, code: "RequestTimeout" });
    expect(answer.message).toBe("The upload took longer than 1000 ms.");
    expect(await server.files()).toEqual([]);
  });

  test("is cut off when the client goes on sending what was refused", async () => {
    const { fields } = server.presign({ maxBytes: 5 });
    const socket = await beginUpload(server.port, 1_000_000_000, `${fieldParts(fields)}${fileHead}123456`);
    socket.on("error", () => {});
    const drip = setInterval(() => socket.write("x".repeat(1_000)), 20);
    const answer = await answerUntilClosed(socket).finally(() => clearInterval(drip));
    expect(answer).toMatchObject({ status: 400, code: "EntityTooLarge" });
    expect(await server.files()).toEqual([]);
  });
});

describe("an upload of 64 MB", () => {
  const megabyte = Buffer.alloc(1_000_000, "x");

  test("goes to the disk without being held in memory", async () => {
    const server = await startUploadServer();
    const { fields, key } = server.presign({ maxBytes: 64_000_000 });
    const upload = request({ port: server.port, path: `/${bucket}`, method: "POST" });
    upload.setHeader("content-type", `multipart/form-data; boundary=${boundary}`);
    upload.write(`${fieldParts(fields)}${fileHead}`);
    const before = process.memoryUsage.rss();
    let most = 0;
    for (let sent = 0; sent < 64; sent++) {
      if (!upload.write(megabyte)) await once(upload, "drain");
      most = Math.max(most, process.memoryUsage.rss() - before);
    }
    upload.end(`\r\n${end}`);
    const [response] = await once(upload, "response");
    response.resume();
    expect(response.statusCode).toBe(201);
    expect(await server.store.stat(key)).toMatchObject({ bytes: 64_000_000 });
    expect(most).toBeLessThan(32_000_000);
    await server.close();
  });
});

describe("a fault of the store", () => {
  test("is answered 500 with a request id and without what it was", async () => {
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
