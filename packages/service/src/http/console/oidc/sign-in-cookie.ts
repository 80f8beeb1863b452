import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Sealing } from "../../../system/sealing.ts";
import { personLimits } from "../../../tenants/persons.ts";
import type { CookieForm } from "../session-cookie.ts";
import type { SignInChecks } from "./provider.ts";

/** A sign-in that this browser has begun. */
export interface BegunSignIn extends SignInChecks {
  /** The page to return to, as `consolePath` returns it; undefined: the console's first. */
  then?: string | undefined;
  silent: boolean;
  /** True when the page to return to is open in another tab. */
  isElsewhere: boolean;
  /** The session that this one replaces, as it is stored. */
  presentHash?: string | undefined;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Sign-ins that a browser may have begun: one for each tab. */
const tabs = 5;

const what = "a sign-in";

/** The name of the cookie of a sign-in: `SameSite=Lax`, because the provider's page leads back. */
const nameOf = ({ secure, name }: CookieForm, state: string) =>
  `${prefixOf({ secure, name })}${state.slice(0, 16)}`;

const prefixOf = ({ secure, name }: CookieForm) =>
  secure ? "__Host-lading-sign-in-" : `${name.replace("session", "sign-in")}-`;

/** Keeps a sign-in in the browser, encrypted, next to those of its other tabs. */
export function keepSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { form, sealing, signIn }: { form: CookieForm; sealing: Sealing; signIn: BegunSignIn },
): void {
  const others = Object.keys(parseCookie(request.headers.cookie ?? "")).filter((name) =>
    name.startsWith(prefixOf(form)),
  );
  if (others.length >= tabs) for (const name of others) setCookie(reply, form, name, "", 0);
  const { keyId, sealed } = sealing.seal(what, JSON.stringify(signIn));
  const value = `${keyId}.${Buffer.from(sealed).toString("base64url")}`;
  setCookie(reply, form, nameOf(form, signIn.state), value, personLimits.signInMinutes * 60);
}

/** Takes the sign-in with this state out of the browser; undefined when it was not begun there, or is too old. */
export function takeSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { form, sealing, state }: { form: CookieForm; sealing: Sealing; state: unknown },
): BegunSignIn | undefined {
  if (typeof state !== "string" || !/^[\w-]{43}$/.test(state)) return undefined;
  const name = nameOf(form, state);
  const value = parseCookie(request.headers.cookie ?? "")[name];
  if (value === undefined) return undefined;
  setCookie(reply, form, name, "", 0);
  const [keyId = "", sealed = ""] = value.split(".");
  try {
    const signIn: BegunSignIn = JSON.parse(
      sealing.open(what, { keyId, sealed: Buffer.from(sealed, "base64url") }),
    );
    return signIn.state === state && signIn.expiresAt > Date.now() ? signIn : undefined;
  } catch {
    return undefined;
  }
}

function setCookie(reply: FastifyReply, { secure }: CookieForm, name: string, value: string, maxAge: number) {
  const attributes = { httpOnly: true, sameSite: "lax", path: "/", secure, maxAge } as const;
  reply.header("set-cookie", stringifySetCookie({ name, value, ...attributes }));
}

/** A path within the console's pages of a tenant, with its query; undefined for anything else. */
export function consolePath(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > 1_000 || !/^\/@[a-z0-9-]{2,64}(?:[/?]|$)/.test(text))
    return undefined;
  // Paths such as /@shop/../../elsewhere end outside.
  const { origin, pathname, search } = new URL(`/console${text}`, "http://console.invalid");
  const isWithin = origin === "http://console.invalid" && pathname.startsWith("/console/@");
  return isWithin ? `${pathname}${search}` : undefined;
}
