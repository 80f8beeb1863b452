import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import type { TenantCaller } from "./authentication.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Absent until it was authenticated, and where nobody has to be. */
    caller?: TenantCaller | "operator" | null;
  }
}

/** Addresses that are asked for every few seconds, by machines. */
const polled = /^\/(?:health\/\w+|metrics)$/;

/** An id that a proxy gives is kept if it is of plain characters, so that its log and this one can be joined. */
function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The settings of the HTTP server by which each request has an id, which all its lines in the log name. */
export const requestLogOptions = (logger: Logger) => ({
  loggerInstance: logger as FastifyBaseLogger,
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request" }),
  genReqId: requestId,
});

/** Logs each request that reaches a route, or none that there is. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest("caller", null);
  app.addHook("onRequest", (request, reply, done) => {
    logWhenAnswered(request, reply);
    done();
  });
}

/**
 * Writes a line when the answer has been sent, or the client is gone: `request` (the id, which the answer has as
 * `X-Request-Id`), `method`, `path`, `status`, `ms`, and who called. A failure of the service is a warning, what machines
 * poll is for debugging. Neither the query of an address nor a header nor a body is in it: secrets come there.
 */
export function logWhenAnswered(request: FastifyRequest, reply: FastifyReply): void {
  const began = performance.now();
  const { raw } = reply.header("x-request-id", request.id);
  const { method, url } = request;
  const path = url.replace(/\?.*/s, "");
  raw.once("close", () => {
    const status = raw.headersSent ? raw.statusCode : null;
    const level = (status ?? 0) >= 500 ? "warn" : polled.test(path) ? "debug" : "info";
    const ms = Math.round(performance.now() - began);
    const gone = raw.writableFinished ? undefined : { aborted: true };
    request.log[level]({ method, path, status, ms, ...namesOf(request), ...gone }, "request");
  });
}

function namesOf({ caller }: FastifyRequest) {
  if (!caller) return undefined;
  if (caller === "operator") return { operator: true };
  const { tenant, accessToken } = caller;
  return { tenant: tenant.id, token: accessToken.id, tokenName: accessToken.name };
}
