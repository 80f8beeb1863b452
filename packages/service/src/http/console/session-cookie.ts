import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { HttpFailure } from "../http-failure.ts";
import { isLoopback, isOfOwnPage, originOf } from "./same-origin.ts";

/** By the prefix browsers take the cookie from this host alone, and with Secure and Path=/ only (RFC 6265bis). */
const secureForm = { name: "__Host-lading-session", secure: true } as const;

/** The form of the secrets that the service makes: 256 bits in base64url. */
const secretForm = /^[\w-]{43}$/;

/** The cookie that a browser may have: its name, and if it is sent over HTTPS alone. */
export interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/** A session as a request presents it; nobody has looked yet if there is one. */
export interface PresentedSession {
  readonly secret: string;
  readonly form: CookieForm;
}

/**
 * The session whose cookie a request has; undefined without one. The cookie of plain HTTP counts on loopback addresses
 * only, and has their port in its name: browsers send a cookie to every port of a host.
 *
 * @param publicUrl the address by which clients reach the service
 */
export function sessionOf(request: FastifyRequest, publicUrl: string): PresentedSession | undefined {
  const cookies = parseCookie(request.headers.cookie ?? "");
  const form = formsOf(request, publicUrl).find(({ name }) => cookies[name] !== undefined);
  const secret = form && cookies[form.name];
  return form && secret !== undefined && secretForm.test(secret) ? { secret, form } : undefined;
}

/** The cookies of which the first that a request has counts; what listens at another port of a host may set both. */
function formsOf(request: FastifyRequest, publicUrl: string): CookieForm[] {
  const plain = plainForm(request);
  if (plain === undefined) return [secureForm];
  // It is refused with whatever session, and may name any origin.
  if (!isOfOwnPage(request, publicUrl)) return [secureForm, plain];
  if (isSecure(request, publicUrl)) return [secureForm];
  // A proxy may have put a loopback address into Host, and a request without Origin does not tell.
  const mayBeSecure = publicUrl.startsWith("https:") && originOf(request) === undefined;
  return mayBeSecure ? [secureForm, plain] : [plain];
}

/**
 * Says which cookie the browser of a request may have. Refuses with 403 plain HTTP, unless it is to a loopback address.
 *
 * @param publicUrl the address by which clients reach the service
 */
export function cookieFormFor(request: FastifyRequest, publicUrl: string): CookieForm {
  if (isSecure(request, publicUrl)) return secureForm;
  const origin = originOf(request);
  const plain = plainForm(request);
  // A proxy may have put a loopback address into Host: the page's origin is what its browser has.
  if (plain !== undefined && (origin === undefined || isLoopback(origin))) return plain;
  throw new HttpFailure(
    403,
    "SecureConnectionRequired",
    "A session over plain HTTP would show its cookie to the network. Use HTTPS, by a proxy that LADING_TRUSTED_PROXIES " +
      "or LADING_PUBLIC_URL names, or http://localhost on the machine of the service.",
  );
}

/** Sets the cookie of a session for `maxAge` seconds; 0 removes it. */
export function setSession(reply: FastifyReply, form: CookieForm, secret: string, maxAge: number): void {
  const attributes = { httpOnly: true, sameSite: "strict", path: "/", maxAge } as const;
  reply.header("set-cookie", stringifySetCookie({ ...form, value: secret, ...attributes }));
}

/** The cookie of plain HTTP; undefined unless the request names a loopback address. */
function plainForm({ host }: FastifyRequest): CookieForm | undefined {
  const address = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (address === undefined || !isLoopback(address)) return undefined;
  return { name: `lading-session-${address.port || "80"}`, secure: false };
}

/** True when the browser speaks HTTPS: a trusted proxy says so, the page's origin, or the public address. */
function isSecure(request: FastifyRequest, publicUrl: string): boolean {
  if (request.protocol === "https" || originOf(request)?.protocol === "https:") return true;
  const own = `https://${request.host}`;
  return URL.canParse(publicUrl) && URL.canParse(own) && new URL(publicUrl).origin === new URL(own).origin;
}
