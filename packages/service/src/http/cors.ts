import cors, { type FastifyCorsOptions } from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Time a browser may cache the answer to a preflight request, in seconds. */
const preflightMaxAge = 600;

/** The response headers that scripts may read. */
const exposedHeaders =
  "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Location, ETag, X-Request-Id, " +
  "Accept-Ranges, Content-Range";

/**
 * Allows scripts of the origins (`https://shop.example`; `*` is any) to call the service by CORS, never with cookies.
 * The operator's API and the console stay closed to them. Without origins, adds nothing, so browsers allow no script.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.register(cors, {
    delegator: (request, done) => done(null, optionsFor(request, origins)),
  });
}

/** An origin that is not allowed gets no CORS header at all, so it learns nothing from a refusal. */
function optionsFor(
  { headers, method, url }: FastifyRequest,
  origins: readonly string[],
): FastifyCorsOptions {
  const isListed = origins.includes("*") || origins.includes(headers.origin ?? "");
  const isMalformed = method === "OPTIONS" && headers["access-control-request-method"] === undefined;
  return {
    origin:
      headers.origin !== undefined && isListed && !isMalformed && !/^\/(?:operator|console)\b/i.test(url),
    methods: ["GET", "POST"],
    allowedHeaders: headers["access-control-request-headers"] ?? [],
    exposedHeaders,
    maxAge: preflightMaxAge,
  };
}
