import { isObject } from "@lading/schema/internal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../../storage/database.ts";
import { isOutage } from "../../storage/sql-states.ts";
import { useCode } from "../../tenants/console-codes.ts";
import {
  consoleLimits,
  endSession,
  hashOfSession,
  newSessionSecret,
  openSession,
  type SessionHolder,
  type SessionTenant,
  tenantsOfSession,
} from "../../tenants/console-sessions.ts";
import type { Access } from "../access.ts";
import { authenticateToken, isStorable, unauthorized } from "../authentication.ts";
import { HttpFailure } from "../http-failure.ts";
import { type RateLimiter, rateLimiter, refuseWhenUsedUp } from "../limits/rate-limit.ts";
import { limitBodyTime } from "../limits/slow-clients.ts";
import { codeRoute } from "./code-route.ts";
import { consoleAddress } from "./console-url.ts";
import type { SignInServices } from "./oidc/sign-in-routes.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { cookieFormFor, sessionOf, setSession } from "./session-cookie.ts";

interface SessionServices {
  database: Database;
  /** Returns the service's public URL. */
  publicUrl: () => string;
  /** The sessions of persons and their provider, if there is one. */
  signIn?: SignInServices | undefined;
}

/**
 * Adds browser sessions: `POST /console/session` opens one with an access token and takes over the tenants of the
 * current session, which ends; `GET` lists its tenants; `DELETE` ends it or, with a tenant in the path, that tenant's
 * part, and answers with the URL that ends a person's session at the provider. All require the service's own origin.
 */
export function sessionRoutes(
  app: FastifyInstance,
  services: SessionServices,
  access: Access,
  bodyTimeout: number,
): void {
  const limiter = rateLimiter(consoleLimits.openedPerHour, Date.now, "an hour");
  codeRoute(app, { ...services, limiter }, access);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header("cache-control", "no-store");
    requireSameOrigin(request, services.publicUrl());
  };
  const posting = {
    onRequest,
    preParsing: limitBodyTime(bodyTimeout),
    bodyLimit: consoleLimits.requestBytes,
  };
  const opening = openings(services, access, limiter);
  app.post("/console/session", posting, async (request, reply) => reply.send(await opening(request, reply)));
  const lookUp = lookUps(services, access);
  const end = async (request: FastifyRequest, reply: FastifyReply, tenant: string | null) => {
    const session = sessionOf(request, services.publicUrl());
    // Without a look-up: a person who has no role now may get one again, and must be signed out then.
    const ended = session && tenant === null ? await endOfPerson(services, session.secret) : undefined;
    if (ended === undefined) await lookUp(request, reply);
    if (session === undefined || (tenant !== null && !isStorable(tenant))) return reply.code(204).send();
    await endSession(services.database, session.secret, tenant);
    const left = tenant === null ? [] : await tenantsOf(services, session.secret).catch(unlessOutage);
    const isOver = left?.length === 0;
    if (isOver) setSession(reply, session.form, "", 0);
    return ended?.signOutUrl === undefined ? reply.code(204).send() : reply.send(ended);
  };
  app.get("/console/session", { onRequest, exposeHeadRoute: false }, async (request, reply) => ({
    tenants: await lookUp(request, reply),
  }));
  app.delete("/console/session", { onRequest }, (request, reply) => end(request, reply, null));
  app.delete<{ Params: { tenant: string } }>("/console/session/:tenant", { onRequest }, (request, reply) =>
    end(request, reply, request.params.tenant),
  );
}

/** Returns undefined for an outage: it is not known then which tenants a session has. */
function unlessOutage(error: unknown): undefined {
  if (!isOutage(error)) throw error;
}

/** Makes the handler that opens sessions, rate-limited per token. */
function openings(services: SessionServices, access: Access, limiter: RateLimiter) {
  const { database, publicUrl } = services;
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ opened: string; tenants: readonly SessionTenant[] }> => {
    const credentials = credentialsIn(request.body);
    const form = cookieFormFor(request, publicUrl());
    const holder = await access.counted(request, reply, () => holderOf(database, credentials));
    access.countRequest(reply, holder.token);
    refuseWhenUsedUp(reply, limiter.take(holder.token.id), "This access token opens too many sessions");
    const by = "code" in credentials ? "code" : "token";
    const session = sessionOf(request, publicUrl());
    // Other hosts may set the plain-HTTP cookie: a browser that speaks HTTPS gets a new session.
    const present = session?.form.name === form.name ? session.secret : undefined;
    const secret = await opened(database, holder, { present, by });
    setSession(reply, form, secret, consoleLimits.sessionHours * 3_600);
    return { opened: holder.tenant.identifier, tenants: await tenantsOf(services, secret) };
  };
}

/** Opens a session with the tenants of the current one, and returns its secret, which is always new. */
async function opened(
  database: Database,
  holder: SessionHolder,
  { present, by }: { present: string | undefined; by: "token" | "code" },
): Promise<string> {
  // Someone else may know the current secret, or have planted it.
  const secret = newSessionSecret();
  const outcome = await openSession(database, holder, { secret, present, by });
  if (outcome === "gone") throw unauthorized("The access token was revoked a moment ago.");
  if (outcome === "full")
    throw new HttpFailure(
      409,
      "TooManyTenants",
      `The session has ${consoleLimits.tenantsOfSession} tenants, which is the limit. Sign out of one first.`,
    );
  return secret;
}

/** Makes the function that lists the tenants of a request's session: none without one; 401 if it has ended. */
function lookUps(services: SessionServices, access: Access) {
  const limiter = rateLimiter(consoleLimits.requestsPerMinute);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<readonly SessionTenant[]> => {
    const session = sessionOf(request, services.publicUrl());
    if (session === undefined) return [];
    const tenants = await access.counted(request, reply, async () => {
      const found = await tenantsOf(services, session.secret);
      if (found.length > 0) return found;
      // Keep the cookie: another tab may have signed in meanwhile, and this answer would remove its new cookie.
      throw unauthorized("The session has ended: sign in again.");
    });
    refuseWhenUsedUp(
      reply,
      limiter.take(hashOfSession(session.secret)),
      "This session sends too many requests",
    );
    return tenants;
  };
}

/** The tenants of a session: those of its tokens, and those of its person for which it has no token. */
async function tenantsOf({ database, signIn }: SessionServices, secret: string): Promise<SessionTenant[]> {
  const held = await tenantsOfSession(database, secret);
  const own = (await signIn?.persons.tenantsOf(secret)) ?? [];
  const others = own.filter(({ identifier }) => held.every((each) => each.identifier !== identifier));
  return [...held, ...others].sort((one, other) => (one.identifier < other.identifier ? -1 : 1));
}

/** Ends the session of a person, if it is one; returns the URL that ends that at the provider, if it has one. */
async function endOfPerson(
  { signIn, publicUrl }: SessionServices,
  secret: string,
): Promise<{ signOutUrl: string | undefined } | undefined> {
  const secrets = await signIn?.persons.end(secret);
  if (signIn === undefined || secrets === undefined) return undefined;
  const returnTo = `${consoleAddress(publicUrl())}sign-in`;
  const signOutUrl = await signIn.provider.signOutUrl(returnTo, secrets.idToken).catch(() => undefined);
  return { signOutUrl };
}

/** An access token of a tenant, or a code made with one. */
type SessionCredentials = { tenant: string; id: string; secret: string } | { tenant: string; code: string };

/** Finds the token to open a session for. Refuses with 401 or 404. */
async function holderOf(database: Database, credentials: SessionCredentials): Promise<SessionHolder> {
  if (!("code" in credentials)) {
    const { tenant: identifier, ...token } = credentials;
    const { tenant, accessToken } = await authenticateToken(database, identifier, token, "");
    return { tenant, token: accessToken };
  }
  const holder = await useCode(database, credentials);
  if (holder !== undefined) return holder;
  throw unauthorized(
    `Unknown code: each is valid for one tenant, ${consoleLimits.codeSeconds} seconds and one sign-in. Make another one.`,
  );
}

function credentialsIn(body: unknown): SessionCredentials {
  const fields = isObject(body) ? body : {};
  const { tenant, accessTokenId: id, accessTokenSecret: secret, code } = fields;
  if (isText(tenant) && isText(code) && Object.keys(fields).length === 2) return { tenant, code };
  if (isText(tenant) && isText(id) && isText(secret) && code === undefined) return { tenant, id, secret };
  throw new HttpFailure(
    400,
    "BadRequest",
    'Send JSON with the tenant and one of its access tokens, {"tenant": "…", "accessTokenId": "…", ' +
      '"accessTokenSecret": "…"}, or with a one-time code of the tenant: {"tenant": "…", "code": "…"}.',
  );
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && isStorable(value);
