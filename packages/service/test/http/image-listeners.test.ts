import { once } from "node:events";
import { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { png } from "../../../../test/support/images/samples.ts";
import { newUploadKey } from "../../src/uploads/keys.ts";
import { type Api, openApi } from "./support.ts";

const large = 12 * 1024 ** 2;

/** The most listeners for the end of each answer, as they are added. */
const most = new Map<ServerResponse, number>();
const warnings: string[] = [];
const warned = (warning: Error) => warnings.push(String(warning.stack));

let api: Api;
let url: string;
const keys = new Map<number, string>();

beforeAll(async () => {
  const on = ServerResponse.prototype.on;
  // `once` and `pipe` add theirs by `on`, or are followed by one that does.
  ServerResponse.prototype.on = function (
    this: ServerResponse,
    event: string | symbol,
    listener: (...given: never[]) => void,
  ) {
    on.call(this, event, listener as () => void);
    most.set(this, Math.max(most.get(this) ?? 0, this.listenerCount("close")));
    return this;
  };
  process.on("warning", warned);
  api = await openApi();
  for (const size of [1_000, large]) keys.set(size, await image(size));
  url = await api.server.listen({ port: 0, host: "127.0.0.1" });
});
beforeEach(() => most.clear());
afterAll(async () => {
  process.off("warning", warned);
  // It is inherited again.
  Reflect.deleteProperty(ServerResponse.prototype, "on");
  await api.close();
});

async function image(size: number): Promise<string> {
  const key = newUploadKey(api.shop.tenant.id, `${size}.png`, "MEDIA");
  await api.store.put(key, [png(10, 10, size, size)] as never, { maxBytes: large });
  await api.data(
    `mutation ($key: String!) { registerImage(imageKey: $key) { ... on Image { key } ... on BasicError { message } } }`,
    { key },
  );
  return key;
}

const path = (size: number) => `/images/${keys.get(size)}`;

/** Pipelines requests on one connection, and reads a number of bytes at a given pace. */
async function read(request: string, times: number, bytes: number, pause: number): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(request.repeat(times));
  let left = bytes;
  for await (const chunk of socket) {
    left -= chunk.length;
    if (left <= 0) break;
    if (pause > 0) await delay(pause);
  }
}

const get = (size: number, head = "", method = "GET") =>
  `${method} ${path(size)} HTTP/1.1\r\nHost: a\r\n${head}\r\n`;

test.each([
  ["a small image", () => read(get(1_000), 1, 1_000, 0), 1],
  ["a large image", () => read(get(large), 1, large, 0), 1],
  ["a large image, to a slow reader", () => read(get(large), 1, large, 2), 1],
  ["a large image, to a reader who goes", () => read(get(large), 1, 1_000_000, 0), 1],
  ["parts, asked for in a row", () => read(get(large, "Range: bytes=5-499999\r\n"), 20, 9_900_000, 0), 20],
  ["heads, asked for in a row", () => read(get(large, "", "HEAD"), 20, 20 * 500, 0), 20],
  ["images that are known, in a row", () => read(get(large, "If-None-Match: *\r\n"), 20, 20 * 500, 0), 20],
  ["parts beyond the end, in a row", () => read(get(1_000, "Range: bytes=1000-\r\n"), 20, 20 * 500, 0), 20],
])("no warning about listeners is given for %s", async (_what, ask, answers) => {
  await ask();
  expect(most.size).toBe(answers);
  // The line of the log, and what Fastify and Node add to send a stream; the size of the image adds none.
  expect(Math.max(...most.values())).toBeLessThanOrEqual(6);
  expect(warnings).toEqual([]);
});
