import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { headersOf, useApi } from "./support.ts";

let port: number;

const api = useApi({ timeouts: { headers: 300, body: 300, silence: 600_000 } });
beforeAll(async () => {
  await api.server.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = api.server.server.address() as AddressInfo);
});

/** Sends the beginning of a request and nothing more; returns everything received until the service hangs up. */
async function answerTo(...parts: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  for (const part of parts) socket.write(part);
  return text(socket);
}

const head = () => {
  const token = headersOf({ id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret });
  const headers = {
    host: "localhost",
    "content-type": "application/json",
    "content-length": "100",
    ...token,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /@shop HTTP/1.1\r\n${lines.join("")}\r\n`;
};

const bodyOf = (answer: string) => JSON.parse(answer.split("\r\n\r\n")[1] as string);

test("a client that does not finish the head of a request is answered 408 and loses the connection", async () => {
  const answer = await answerTo("POST /@shop HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(bodyOf(answer).errors[0].extensions.code).toBe("ERR_HTTP_REQUEST_TIMEOUT");
});

test("a client that does not finish the body of a query is answered 408 and loses the connection", async () => {
  const answer = await answerTo(head(), '{"query": "');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toMatch(/connection: close/i);
  const message = "The request body did not arrive within 300 ms.";
  expect(bodyOf(answer)).toEqual({ message, errors: [{ message, extensions: { code: "RequestTimeout" } }] });
});

test.each([
  ["is of a type that is not taken", "content-type", "text/plain", 415],
  ["would be too large", "content-length", String(64 * 1024 ** 2), 413],
])("a client whose body %s is answered once and loses the connection", async (_why, name, value, status) => {
  const answer = await answerTo(
    head().replace(new RegExp(`${name}: [^\\r]*`), `${name}: ${value}`),
    '{"query": "',
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test("input that is not HTTP is answered with 400, and a head that is too long with 431", async () => {
  expect(await answerTo("nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  const answer = await answerTo(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(bodyOf(answer).message).toBe("The request head is too long.");
});

test("slow and broken clients cause no defect, and the service continues", async () => {
  expect((await api.send({ url: "/health/ready" })).status).toBe(200);
  expect(api.logged).toEqual([]);
});
