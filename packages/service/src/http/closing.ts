import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { HttpFailure } from "./http-failure.ts";
import { refusalText } from "./limits/slow-clients.ts";

const stopping = {
  code: "ServiceStopping",
  message: "The service is shutting down.",
} as const;

/** Tracks the connections of an HTTP server, so that it can be closed in time. */
export interface Connections {
  /** Makes Fastify's server, or one for each address of `localhost`; pass it to Fastify. */
  serverFactory: (handler: RequestListener, options: object) => ReturnType<typeof createServer>;
  /**
   * Limits `app.close` to `grace` milliseconds. Closes idle connections and half-sent requests immediately, the latter
   * with a 503 if no answer has begun; requests in progress have the time to finish. Refuses new requests with 503.
   */
  closeWith(app: FastifyInstance, grace: number, endStreams: () => void): void;
}

/** The latest request of a connection. Earlier ones were answered, unless the client pipelines. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** The options that Fastify would set on its own server. */
interface NodeOptions {
  http: object;
  keepAliveTimeout: number;
  requestTimeout: number;
  connectionTimeout: number;
}

export function trackConnections(): Connections {
  const latest = new Map<Socket, Exchange | undefined>();
  let closing = false;
  return {
    serverFactory(handler, options) {
      const { http, connectionTimeout, ...timeouts } = options as NodeOptions;
      const { keepAliveTimeout, requestTimeout } = timeouts;
      const server = Object.assign(createServer(http, handler), { keepAliveTimeout, requestTimeout });
      server.setTimeout(connectionTimeout);
      server.on("connection", (socket: Socket) => {
        if (closing) return void socket.destroy();
        latest.set(socket, undefined);
        socket.once("close", () => latest.delete(socket));
      });
      return server.on("request", (request, response) => latest.set(request.socket, { request, response }));
    },
    closeWith(app, grace, endStreams) {
      app.addHook("onRequest", async ({ url }) => {
        if (closing && !/^\/health\//.test(url)) throw new HttpFailure(503, stopping.code, stopping.message);
      });
      app.addHook("preClose", async () => {
        closing = true;
        endStreams();
        for (const [socket, exchange] of latest) closeConnection(socket, exchange);
        const late = () => {
          for (const socket of latest.keys()) socket.destroy();
        };
        setTimeout(late, grace).unref();
      });
    },
  };
}

function closeConnection(socket: Socket, exchange: Exchange | undefined): void {
  if (exchange === undefined || exchange.response.writableFinished) return void socket.destroy();
  const { request, response } = exchange;
  if (!request.complete) {
    if (!response.headersSent) socket.write(refusalText("503 Service Unavailable", stopping));
    return void socket.destroySoon();
  }
  if (!response.headersSent) response.setHeader("connection", "close");
  response.once("close", () => socket.destroySoon());
}
