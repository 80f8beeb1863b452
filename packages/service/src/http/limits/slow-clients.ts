import type { Server } from "node:http";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { FastifyHttpOptions, preParsingHookHandler } from "fastify";
import { HttpFailure } from "../http-failure.ts";

/** Time limits for clients, in milliseconds. Uploads have their own: uploads/receive.ts. */
export interface ClientTimeouts {
  /** Longest time for the head of a request. */
  headers: number;
  /** Longest time for the body of a GraphQL request. */
  body: number;
  /** Longest time without a byte in either direction while a request is open. */
  silence: number;
}

export const defaultTimeouts: ClientTimeouts = { headers: 20_000, body: 30_000, silence: 600_000 };

/** Longest interval at which Node checks for slow request heads, in milliseconds. */
const longestCheckingInterval = 5_000;

/** Makes the HTTP server settings that disconnect slow clients. */
export const slowClientOptions = ({ headers, silence }: ClientTimeouts) =>
  ({
    connectionTimeout: silence,
    http: {
      headersTimeout: headers,
      connectionsCheckingInterval: Math.min(longestCheckingInterval, headers),
    },
    clientErrorHandler: answerBrokenRequest,
  }) satisfies FastifyHttpOptions<Server>;

/** Answers 408 when a request body doesn't arrive in time, without waiting for the rest of it. */
export function limitBodyTime(milliseconds: number): preParsingHookHandler {
  return (request, reply, payload, done) => {
    const body = new PassThrough();
    const late = setTimeout(() => {
      payload.unpipe(body);
      // The request was refused for another reason: nothing reads the body, or would see its error.
      if (reply.sent) return void request.raw.socket.destroy();
      reply.header("connection", "close");
      const message = `The request body did not arrive within ${milliseconds} ms.`;
      body.destroy(new HttpFailure(408, "RequestTimeout", message));
    }, milliseconds);
    const stop = () => clearTimeout(late);
    payload.once("end", stop).once("close", stop);
    payload.once("error", (error) => body.destroy(error));
    payload.pipe(body);
    done(null, body);
  };
}

const statuses: Readonly<Record<string, [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request head did not arrive in time."],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request head is too long."],
};

/** Answers requests that never reach a route because they are not HTTP or too slow. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const code = error.code ?? "BadRequest";
  const [status, message] = statuses[code] ?? ["400 Bad Request", "Not a valid HTTP request."];
  if (socket.writable) socket.write(refusalText(status, { code, message }));
  socket.destroy(error);
}

/** Writes a complete response for a request that no route answers; `status` is the code and the phrase. */
export function refusalText(status: string, { code, message }: { code: string; message: string }): string {
  const body = JSON.stringify({ message, errors: [{ message, extensions: { code } }] });
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
