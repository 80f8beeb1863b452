import type { FastifyRequest } from "fastify";
import { isLoopback } from "../../system/loopback.ts";
import { HttpFailure } from "../http-failure.ts";

/**
 * Refuses requests that weren't sent by a page of the service's own origin with 403. A browser says so in
 * `Sec-Fetch-Site`, which scripts cannot set; one without it in `Origin`. A request with neither is refused, whatever
 * its method.
 *
 * @param publicUrl the service's public URL; behind a proxy that changes `Host` only this names its origin
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (isOfOwnPage(request, publicUrl)) return;
  throw new HttpFailure(
    403,
    "CrossOriginRequest",
    "Sessions are valid only for pages of this service, and this request does not come from one. Other clients send " +
      "an access token in headers.",
  );
}

/** True when a page of the service's own origin sent the request, as `requireSameOrigin` demands. */
export function isOfOwnPage(request: FastifyRequest, publicUrl: string): boolean {
  const site = request.headers["sec-fetch-site"];
  return site === undefined ? hasOwnOrigin(request, publicUrl) : site === "same-origin";
}

function hasOwnOrigin(request: FastifyRequest, publicUrl: string): boolean {
  const origin = originOf(request);
  if (origin === undefined) return false;
  if (URL.canParse(publicUrl) && origin.origin === new URL(publicUrl).origin) return true;
  const own = `${origin.protocol}//${request.host}`;
  if (!URL.canParse(own) || new URL(own).host !== origin.host) return false;
  return origin.protocol === "https:" || isLoopback(origin);
}

/** The origin of the page that sent a request, according to its browser. */
export function originOf({ headers }: FastifyRequest): URL | undefined {
  const { origin } = headers;
  return origin !== undefined && /^https?:/.test(origin) && URL.canParse(origin)
    ? new URL(origin)
    : undefined;
}
