import type { FastifyInstance } from "fastify";

/** For how long a browser may keep the answer to a preflight request, in seconds. */
const preflightMaxAge = 600;

/** What scripts may read of an answer beside its body. */
const exposed =
  "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Location, ETag, X-Request-Id";

/**
 * Lets scripts of the origins (`https://shop.example`; `*` is any) call the service from a browser, as CORS has it. The
 * operator's API stays closed to them. Without origins nothing is added, and browsers keep everybody out.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook("onRequest", async (request, reply) => {
    if (/^\/operator\b/i.test(request.url)) return;
    reply.header("vary", "Origin");
    const { origin } = request.headers;
    if (origin === undefined || !(origins.includes("*") || origins.includes(origin))) return;
    reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": exposed });
    if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined)
      return;
    const asked = request.headers["access-control-request-headers"];
    if (asked !== undefined) reply.header("access-control-allow-headers", asked);
    reply.headers({
      "access-control-allow-methods": "GET, POST",
      "access-control-max-age": preflightMaxAge,
    });
    return reply.code(204).send();
  });
}
