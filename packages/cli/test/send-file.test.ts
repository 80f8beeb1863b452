import { once } from "node:events";
import { createReadStream } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { sendFile } from "../src/service/send-file.ts";
import { cleanEnvironment } from "./support/lading.ts";
import { unusedUrl } from "./support/scripted-service.ts";

const form = (url: string) => ({ method: "POST", url, fields: [] }) as const;

const MiB = 1024 ** 2;
const never = new AbortController().signal;
let path: string;

beforeEach(async () => {
  path = join(await cleanEnvironment(), "file.json");
  await writeFile(path, "{}");
});

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

function file(size: number, filename = "file.json") {
  const read = (): AsyncIterable<Buffer> => createReadStream(path);
  return { read, filename, contentType: "application/json", size };
}

test("posting a form where nothing listens fails with a message that names the address", async () => {
  const url = await unusedUrl();
  await expect(sendFile(form(url), file(2), never)).rejects.toThrow(`no service at ${url}`);
});

test.each([
  ["shrank", 3],
  ["grew", 1],
])("a file that %s after it was measured is an error", async (_how, size) => {
  const url = await listening((request) => request.resume());
  await expect(sendFile(form(url), file(size), never)).rejects.toThrow("changed while it was uploaded");
});

test("posting a form to a store that hangs up is an error", async () => {
  const url = await listening((request) => request.socket.destroy());
  await expect(sendFile(form(url), file(2), never)).rejects.toThrow(
    `cannot reach ${url}: its host closed the connection (ECONNRESET)`,
  );
});

test.each(["POST", "PUT"] as const)(
  "an answer that comes before the whole %s was sent counts",
  async (method) => {
    await truncate(path, 64 * MiB);
    const url = await listening((_request, response) => response.writeHead(403).end("no"));
    const answer = await sendFile({ method, url, fields: [] }, file(64 * MiB), never);
    expect(answer).toEqual({ status: 403, text: "no" });
  },
);

test("a service cannot make the command send another method", async () => {
  let received: unknown;
  const url = await listening((request, response) => {
    received = request.method;
    request.resume();
    response.end();
  });
  const hostile = { method: "DELETE", url, fields: [] } as unknown as Parameters<typeof sendFile>[0];
  await sendFile(hostile, file(2), never);
  expect(received).toBe("POST");
});

test("a PUT sends the file alone, with its length and type", async () => {
  let received: unknown;
  const url = await listening(async (request, response) => {
    const { method, headers } = request;
    const body = await text(request);
    received = { method, body, length: headers["content-length"], type: headers["content-type"] };
    response.end("thanks");
  });
  const fields = [{ name: "key", value: "a key" }];
  expect(await sendFile({ method: "PUT", url, fields }, file(2), never)).toEqual({
    status: 200,
    text: "thanks",
  });
  expect(received).toEqual({ method: "PUT", body: "{}", length: "2", type: "application/json" });
});

test("an abort ends the posting of a form", async () => {
  await truncate(path, 64 * MiB);
  const abort = new AbortController();
  const url = await listening(() => abort.abort());
  await expect(sendFile(form(url), file(64 * MiB), abort.signal)).rejects.toThrow("abort");
});

test("names and values of a form arrive unchanged, even with quotes and line ends in names", async () => {
  let received: Promise<FormData> | undefined;
  const url = await listening(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    received = new Response(body, { headers }).formData();
    response.end();
  });
  const fields = [
    { name: 'a "b"', value: "one\r\ntwo" },
    { name: "key", value: "ünï" },
  ];
  await sendFile({ method: "POST", url, fields }, file(2, 'sh"op\n.json'), never);
  const [first, second, third] = [...((await received) ?? [])];
  expect([first, second]).toEqual([
    ['a "b"', "one\r\ntwo"],
    ["key", "ünï"],
  ]);
  expect(third?.[1]).toMatchObject({ name: 'sh"op\n.json', type: "application/json" });
});

test("a file is read no faster than its form is received, so that it is not held in memory", {
  tags: "release",
}, async () => {
  await truncate(path, 64 * MiB);
  const stalled = Promise.withResolvers<void>();
  let [read, received] = [0, 0];
  const url = await listening(async (request, response) => {
    await stalled.promise;
    for await (const chunk of request) received += chunk.length;
    response.end();
  });
  const counting = {
    ...file(64 * MiB),
    async *read() {
      for await (const chunk of createReadStream(path)) {
        read += chunk.length;
        yield chunk;
      }
    },
  };
  const posted = sendFile(form(url), counting, never);
  let before = -1;
  // The buffers of the system are full when nothing more is read.
  const rests = () => {
    const same = read > 0 && read === before;
    before = read;
    return same;
  };
  await expect.poll(rests, { interval: 100, timeout: 20_000 }).toBe(true);
  expect(read).toBeLessThan(32 * MiB);
  stalled.resolve();
  await posted;
  expect(received).toBeGreaterThan(64 * MiB);
});
