import type { Server } from "node:http";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { FastifyHttpOptions, preParsingHookHandler } from "fastify";
import { HttpFailure } from "./failures.ts";

/** How long a client may take, in milliseconds. An upload has limits of its own: uploads/receive.ts. */
export interface ClientTimeouts {
  /** For the head of a request. */
  headers: number;
  /** For the body of a GraphQL request. */
  body: number;
  /** Without a byte in either direction while a request is open. */
  silence: number;
}

export const defaultTimeouts: ClientTimeouts = { headers: 20_000, body: 30_000, silence: 600_000 };

/** How often Node looks for requests whose head takes too long, at most. */
const longestCheckingInterval = 5_000;

/** The settings of the HTTP server by which slow clients lose their connection. */
export const slowClientOptions = ({ headers, silence }: ClientTimeouts) =>
  ({
    connectionTimeout: silence,
    http: {
      headersTimeout: headers,
      connectionsCheckingInterval: Math.min(longestCheckingInterval, headers),
    },
    clientErrorHandler: answerBrokenRequest,
  }) satisfies FastifyHttpOptions<Server>;

/** Answers 408 when the body of a request has not come in time. Nothing waits for the rest of it. */
export function limitBodyTime(milliseconds: number): preParsingHookHandler {
  return (request, reply, payload, done) => {
    const body = new PassThrough();
    const late = setTimeout(() => {
      payload.unpipe(body);
      // It was refused for another reason, so nobody reads the body, nor would hear of an error of it.
      if (reply.sent) return void request.raw.socket.destroy();
      reply.header("connection", "close");
      const message = `The body of the request did not come within ${milliseconds} ms.`;
      body.destroy(new HttpFailure(408, "RequestTimeout", message));
    }, milliseconds);
    const settle = () => clearTimeout(late);
    payload.once("end", settle).once("close", settle);
    payload.once("error", (error) => body.destroy(error));
    payload.pipe(body);
    done(null, body);
  };
}

const statuses: Readonly<Record<string, [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The head of the request did not come in time."],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The head of the request is too long."],
};

/** What is no HTTP, or too slow to become it, never reaches a route; it is answered as everything else is. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const code = error.code ?? "BadRequest";
  const [status, message] = statuses[code] ?? ["400 Bad Request", "This is no HTTP request."];
  if (socket.writable) socket.write(refusalText(status, { code, message }));
  socket.destroy(error);
}

/** A whole answer, for a request that no route answers; `status` has its number and its words. */
export function refusalText(status: string, { code, message }: { code: string; message: string }): string {
  const body = JSON.stringify({ message, errors: [{ message, extensions: { code } }] });
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
