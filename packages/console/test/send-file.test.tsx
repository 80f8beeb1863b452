import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { Refused } from "../src/api/errors.ts";
import { sendFile } from "../src/pages/run/start/send-file.ts";
import { startFile } from "../src/pages/run/start/start-file.ts";

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

/** Starts a file with a service that answers the request for an upload with this method and URL. */
async function start(method: "POST" | "PUT", url: string): Promise<string> {
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const isUpload = body.includes("generatePresignedUploadRequest");
    const presigned = { method, url, fields: [{ name: "key", value: "a key" }] };
    return Response.json({
      data: isUpload
        ? { generatePresignedUploadRequest: presigned }
        : { createMassOperationBulkTask: { id: "7" } },
    });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return startFile({ tenant: "shop", name: "shop.json", json: new Blob(["{}"]), options: {}, ...sending() });
}

test("a file is sent alone by PUT, with its type, if the service answers so", async () => {
  const { url, received } = await startStore((response) => response.end());
  expect(await start("PUT", url)).toBe("7");
  expect(received).toEqual([{ method: "PUT", type: "application/json", body: "{}" }]);
});

test("a file is sent as the last part of a form by POST, if the service answers so", async () => {
  const { url, received } = await startStore((response) => response.writeHead(201).end());
  expect(await start("POST", url)).toBe("7");
  expect(received).toMatchObject([{ method: "POST", type: expect.stringMatching(/^multipart\/form-data/) }]);
  expect(received[0]?.body).toMatch(/a key.*name="file".*\{\}/s);
});
