import { once } from "node:events";
import { createReadStream } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { postForm } from "../src/service/post-form.ts";
import { cleanEnvironment } from "./support/lading.ts";
import { unusedUrl } from "./support/scripted-service.ts";

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
  await expect(postForm(url, [], file(2), never)).rejects.toThrow(`no service at ${url}`);
});

test.each([
  ["shrank", 3],
  ["grew", 1],
])("a file that %s after it was measured is an error", async (_how, size) => {
  const url = await listening((request) => request.resume());
  await expect(postForm(url, [], file(size), never)).rejects.toThrow("changed while it was uploaded");
});

test("posting a form to a store that hangs up is an error", async () => {
  const url = await listening((request) => request.socket.destroy());
  await expect(postForm(url, [], file(2), never)).rejects.toThrow(
    `cannot reach ${url}: its host closed the connection (ECONNRESET)`,
  );
});

test("an answer that comes before the whole form was sent counts", async () => {
  await truncate(path, 64 * MiB);
  const url = await listening((_request, response) => response.writeHead(403).end("no"));
  expect(await postForm(url, [], file(64 * MiB), never)).toEqual({ status: 403, text: "no" });
});

test("an abort ends the posting of a form", async () => {
  await truncate(path, 64 * MiB);
  const abort = new AbortController();
  const url = await listening(() => abort.abort());
  await expect(postForm(url, [], file(64 * MiB), abort.signal)).rejects.toThrow("abort");
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
  await postForm(url, fields, file(2, 'sh"op\n.json'), never);
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
  const posted = postForm(url, [], counting, never);
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
