import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isLoopback } from "../../system/loopback.ts";
import { HttpFailure } from "../http-failure.ts";
import { isOfOwnPage, originOf } from "./same-origin.ts";

/** The prefix makes browsers take the cookie from this host only, with Secure and Path=/ (RFC 6265bis). */
const secureForm = { name: "__Host-lading-session", secure: true } as const;

/** The format of the service's secrets: 256 bits in base64url. */
const secretForm = /^[\w-]{43}$/;

/** The cookie to give a browser: its name, and whether it is sent over HTTPS only. */
export interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/** A session as a request presents it, not yet verified. */
export interface PresentedSession {
  readonly secret: string;
  readonly form: CookieForm;
}

/**
 * The session in a request's cookies; undefined without one. The plain-HTTP cookie counts on loopback addresses only,
 * and has their port in its name: browsers send a cookie to every port of a host.
 *
 * @param publicUrl the service's public URL
 */
export function sessionOf(request: FastifyRequest, publicUrl: string): PresentedSession | undefined {
  const cookies = parseCookie(request.headers.cookie ?? "");
  const form = formsOf(request, publicUrl).find(({ name }) => cookies[name] !== undefined);
  const secret = form && cookies[form.name];
  return form && secret !== undefined && secretForm.test(secret) ? { secret, form } : undefined;
}

/** The cookies to read, by precedence; a server on another port of the host may set both. */
function formsOf(request: FastifyRequest, publicUrl: string): CookieForm[] {
  const plain = plainForm(request);
  if (plain === undefined) return [secureForm];
  // It is refused whatever the session, and may name any origin.
  if (!isOfOwnPage(request, publicUrl)) return [secureForm, plain];
  if (isSecure(request, publicUrl)) return [secureForm];
  // A proxy may have put a loopback address into Host, and a request without Origin doesn't say.
  const mayBeSecure = publicUrl.startsWith("https:") && originOf(request) === undefined;
  return mayBeSecure ? [secureForm, plain] : [plain];
}

/**
 * Chooses the cookie for the request's browser. Refuses plain HTTP with 403, except to a loopback address.
 *
 * @param publicUrl the service's public URL
 */
export function cookieFormFor(request: FastifyRequest, publicUrl: string): CookieForm {
  if (isSecure(request, publicUrl)) return secureForm;
  const origin = originOf(request);
  const plain = plainForm(request);
  // A proxy may have put a loopback address into Host: the page's origin is what its browser sees.
  if (plain !== undefined && (origin === undefined || isLoopback(origin))) return plain;
  throw new HttpFailure(
    403,
    "SecureConnectionRequired",
    "A session over plain HTTP would show its cookie to the network. Use HTTPS, by a proxy that LADING_TRUSTED_PROXIES " +
      "or LADING_PUBLIC_URL names, or http://localhost on the machine of the service.",
  );
}

/** As `cookieFormFor`, for a navigation: it has no `Origin`, and its page is below the public URL. */
export const cookieFormAt = (request: FastifyRequest, publicUrl: string): CookieForm =>
  publicUrl.startsWith("https:") ? secureForm : cookieFormFor(request, publicUrl);

/** Sets the cookie of a session for `maxAge` seconds; 0 removes it. */
export function setSession(reply: FastifyReply, form: CookieForm, secret: string, maxAge: number): void {
  const attributes = { httpOnly: true, sameSite: "strict", path: "/", maxAge } as const;
  reply.header("set-cookie", stringifySetCookie({ ...form, value: secret, ...attributes }));
}

/** The plain-HTTP cookie; undefined unless the request is for a loopback address. */
function plainForm({ host }: FastifyRequest): CookieForm | undefined {
  const address = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (address === undefined || !isLoopback(address)) return undefined;
  return { name: `lading-session-${address.port || "80"}`, secure: false };
}

/** True when the browser speaks HTTPS, according to a trusted proxy, the page's origin or the public URL. */
function isSecure(request: FastifyRequest, publicUrl: string): boolean {
  if (request.protocol === "https" || originOf(request)?.protocol === "https:") return true;
  const own = `https://${request.host}`;
  return URL.canParse(publicUrl) && URL.canParse(own) && new URL(publicUrl).origin === new URL(own).origin;
}
