import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { Refused } from "../src/api/errors.ts";
import { sendFile } from "../src/pages/run/start/send-file.ts";

interface Received {
  method?: string;
  type?: string;
  body: string;
}

/** A store of another origin, with a CORS rule for this page. */
async function startStore(answer: (response: ServerResponse) => void) {
  const received: Received[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-methods", "POST, PUT");
    response.setHeader("access-control-allow-headers", "content-type");
    const { method, headers } = request;
    const body = await text(request);
    if (method === "OPTIONS") return response.end();
    received.push({ method, type: headers["content-type"], body });
    answer(response);
  };
  const server = createServer((request, response) => void take(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/key`, received };
}

const sending = () => ({ signal: new AbortController().signal, onBytes: () => {} });
const file = new Blob(["{}"], { type: "application/json" });

test("the error about a refused PUT has the store's code and message", async () => {
  const xml = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";
  const { url } = await startStore((response) => response.writeHead(403).end(xml));
  const sent = sendFile({ method: "PUT", url, body: file }, sending());
  await expect(sent).rejects.toEqual(new Refused("AccessDenied", "Request has expired"));
});

test("the error about a store that does not answer has its origin", async () => {
  const { url } = await startStore((response) => response.destroy());
  const sent = sendFile({ method: "PUT", url, body: file }, sending());
  await expect(sent).rejects.toThrow(`The upload store at ${new URL(url).origin} did not take the file`);
});

test("a PUT sends the file alone, with its type", async () => {
  const { url, received } = await startStore((response) => response.end());
  await sendFile({ method: "PUT", url, body: file }, sending());
  expect(received).toEqual([{ method: "PUT", type: "application/json", body: "{}" }]);
});

test("a POST sends the form", async () => {
  const { url, received } = await startStore((response) => response.writeHead(201).end());
  const form = new FormData();
  form.append("key", "a key");
  form.append("file", file, "shop.json");
  await sendFile({ method: "POST", url, body: form }, sending());
  expect(received).toMatchObject([{ method: "POST", type: expect.stringMatching(/^multipart\/form-data/) }]);
  expect(received[0]?.body).toMatch(/a key.*name="file".*\{\}/s);
});
