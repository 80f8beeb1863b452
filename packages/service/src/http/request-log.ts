import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { RequestCaller } from "./authentication.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Absent before authentication, and on routes without it. */
    caller?: RequestCaller | "operator" | null;
  }
}

/** Paths that machines poll every few seconds. */
const polled = /^\/(?:health\/\w+|metrics)$/;

/** Takes a proxy's id if it only has plain characters, so that both logs can be joined. */
function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const sent = headers["x-request-id"];
  return typeof sent === "string" && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID();
}

/** Makes the HTTP server settings that give each request an id, which all its log lines contain. */
export const requestLogOptions = (loggerInstance: FastifyBaseLogger) => ({
  loggerInstance,
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request" }),
  genReqId: requestId,
});

/** Logs each request, including those for which there is no route. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest("caller", null);
  app.addHook("onRequest", (request, reply, done) => {
    logWhenAnswered(request, reply);
    done();
  });
}

/**
 * Logs a line when the answer has been sent or the client is gone: `request` (the id, sent as `X-Request-Id`),
 * `method`, `path`, `status`, `ms` and the caller. Failures of the service are warnings, polled paths are logged at
 * debug level. Queries of URLs, headers and bodies are left out, because they carry secrets.
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
  const { tenant, accessToken, session } = caller;
  const { id, name, person } = accessToken;
  const of = person === undefined ? { token: id, tokenName: name } : { person: id, personName: name };
  const names = { tenant: tenant.id, ...of };
  return session === undefined ? names : { ...names, session: true };
}
