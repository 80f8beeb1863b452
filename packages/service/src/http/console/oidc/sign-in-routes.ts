import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Sealing } from "../../../system/sealing.ts";
import { consoleLimits, hashOfSession } from "../../../tenants/console-sessions.ts";
import { type Persons, personLimits } from "../../../tenants/persons.ts";
import type { Access } from "../../access.ts";
import { unauthorized } from "../../authentication.ts";
import { HttpFailure } from "../../http-failure.ts";
import { addressKey, rateLimiter, refuseWhenUsedUp } from "../../limits/rate-limit.ts";
import { consoleAddress } from "../console-url.ts";
import { cookieFormAt, sessionOf, setSession } from "../session-cookie.ts";
import { sendPage } from "./pages.ts";
import { type Provider, ProviderAway, SignInRefused } from "./provider.ts";
import { type BegunSignIn, consolePath, keepSignIn, takeSignIn } from "./sign-in-cookie.ts";

/** The services that sign in persons; absent without a provider. */
export interface SignInServices {
  provider: Provider;
  persons: Persons;
  /** Encrypts the cookie of a sign-in. */
  sealing: Sealing;
}

/** Sign-ins per minute that an address may begin. */
const begunPerMinute = 60;

/** Errors of a provider that would have asked the person something, had it been allowed to. */
const questions = [
  "login_required",
  "interaction_required",
  "consent_required",
  "account_selection_required",
];

interface SignInAddress {
  Querystring: Readonly<Record<string, unknown>>;
}

type SignInRequest = FastifyRequest<SignInAddress>;

/**
 * Adds signing in as a person: `GET /console/oidc` names the provider, `/console/oidc/sign-in` leads there, and
 * `/console/oidc/callback` is where the provider leads back to. A failure is a page, with text alone.
 */
export function signInRoutes(
  app: FastifyInstance,
  services: Partial<SignInServices> & { publicUrl: () => string },
  access: Access,
): void {
  app.get("/console/oidc", async (_request, reply) => {
    const { provider } = services;
    reply.header("cache-control", "no-store");
    return provider === undefined
      ? { provider: null }
      : { provider: { name: provider.name, isAway: (await provider.problem()) !== undefined } };
  });
  const { provider, persons, sealing, publicUrl } = services;
  if (provider === undefined || persons === undefined || sealing === undefined) return;
  const begunAt: Parts["begunAt"] = new WeakMap();
  const parts = { provider, persons, sealing, publicUrl, begunAt };
  const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof ProviderAway)
      request.log.warn({ err: error }, "the identity provider cannot be used");
    else if (!(error instanceof HttpFailure)) throw error;
    const isAway = error instanceof ProviderAway;
    return sendPage(reply, isAway ? 503 : (error.statusCode ?? 500), {
      title: isAway ? `${provider.name} could not be reached` : "You are not signed in",
      paragraphs: isAway
        ? ["Signing in needs it. Try again later, or sign in with an access token."]
        : [error.message],
      link: { path: signInPageOf(begunAt.get(request)), text: "Back to the sign-in page" },
    });
  };
  app.get<SignInAddress>("/console/oidc/sign-in", { errorHandler }, beginnings(parts));
  app.get<SignInAddress>(
    "/console/oidc/callback",
    { errorHandler, exposeHeadRoute: false },
    callbacks(parts, access),
  );
}

const signInPage = "/console/sign-in";

/** The sign-in page that leads to a page of the console, which `consolePath` has returned. */
function signInPageOf(path: string | undefined): string {
  const [, then, tenant] = /^\/console(\/@([a-z0-9-]+).*)$/.exec(path ?? "") ?? [];
  if (then === undefined || tenant === undefined) return signInPage;
  return `${signInPage}?${new URLSearchParams({ tenant, then })}`;
}

type Parts = SignInServices & {
  publicUrl: () => string;
  /** The page of the console that a request's sign-in was begun at, for the page of a failure. */
  begunAt: WeakMap<FastifyRequest, string | undefined>;
};

const callbackUrl = (publicUrl: string) => `${consoleAddress(publicUrl)}oidc/callback`;

function beginnings({ provider, sealing, publicUrl, begunAt }: Parts) {
  const limiter = rateLimiter(begunPerMinute);
  return async (request: SignInRequest, reply: FastifyReply) => {
    const then = consolePath(request.query.then);
    begunAt.set(request, then);
    const { "sec-fetch-site": site = "none" } = request.headers;
    if (!["same-origin", "none"].includes(String(site)))
      throw new HttpFailure(403, "CrossOriginRequest", "Begin a sign-in at the console's own page.");
    refuseWhenUsedUp(reply, limiter.take(addressKey(request.ip)), "This address begins too many sign-ins");
    const form = cookieFormAt(request, publicUrl());
    const present = sessionOf(request, publicUrl());
    const { silent, tab } = request.query;
    const { url, ...checks } = await provider.begin(callbackUrl(publicUrl()), silent !== undefined);
    const signIn = {
      ...checks,
      ...{ then, silent: silent !== undefined, isElsewhere: tab !== undefined },
      presentHash: present?.form.name === form.name ? hashOfSession(present.secret) : undefined,
      expiresAt: Date.now() + personLimits.signInMinutes * 60_000,
    };
    keepSignIn(request, reply, { form, sealing, signIn });
    return reply.header("cache-control", "no-store").redirect(url, 303);
  };
}

function callbacks({ provider, persons, sealing, publicUrl, begunAt }: Parts, access: Access) {
  const limiter = rateLimiter(consoleLimits.openedPerHour, Date.now, "an hour");
  return async (request: SignInRequest, reply: FastifyReply) => {
    const form = cookieFormAt(request, publicUrl());
    const signIn = takeSignIn(request, reply, { form, sealing, state: request.query.state });
    begunAt.set(request, signIn?.then);
    const url = new URL(callbackUrl(publicUrl()));
    url.search = /\?.*$/s.exec(request.url)?.[0] ?? "";
    const confirmed = await access.counted(request, reply, async () => {
      if (signIn === undefined)
        throw unauthorized(
          `This browser has not begun this sign-in, or more than ${personLimits.signInMinutes} minutes ago. ` +
            `Begin at ${consoleAddress(publicUrl())}.`,
        );
      if (!(await persons.useSignIn(signIn.state)))
        throw unauthorized("This sign-in was used already. Begin another one.");
      return provider.finish(url, signIn).catch((error) => {
        if (!(error instanceof SignInRefused)) throw error;
        if (signIn.silent && questions.includes(error.code ?? "")) return undefined;
        throw unauthorized(`The sign-in was refused: ${error.message.slice(0, 500)}`);
      });
    });
    if (confirmed === undefined) return leadTo(reply, signInPageOf(signIn?.then));
    const { issuer, subject, name, groups } = confirmed.identity;
    refuseWhenUsedUp(reply, limiter.take(JSON.stringify([issuer, subject])), "You open too many sessions");
    const secret = await persons.open(confirmed, signIn?.presentHash);
    if (secret === undefined) throw withoutRole(name, groups);
    setSession(reply, form, secret, consoleLimits.sessionHours * 3_600);
    return signIn?.isElsewhere ? sendSignedIn(reply, signIn) : leadTo(reply, signIn?.then ?? "/console/");
  };
}

const leadTo = (reply: FastifyReply, path: string) =>
  sendPage(reply, 200, {
    ...{ title: "You are being taken to the console", paragraphs: [] },
    ...{ link: { path, text: "Continue" }, isFollowed: true },
  });

const sendSignedIn = (reply: FastifyReply, { then = "/console/" }: BegunSignIn) =>
  sendPage(reply, 200, {
    title: "You are signed in",
    paragraphs: ["Close this tab, and return to the one that you came from: it has kept your work."],
    link: { path: then, text: "Or continue here" },
  });

/** Groups that the page of a person without a role shows. */
const shownGroups = 20;

function withoutRole(name: string, groups: readonly string[]): HttpFailure {
  const own =
    groups.length === 0
      ? "The provider names no group of yours."
      : `Your groups: ${groups.slice(0, shownGroups).join(", ")}${groups.length > shownGroups ? ", …" : ""}.`;
  return new HttpFailure(
    403,
    "UnauthorizedError",
    `The provider knows you as ${name}, but none of your groups has a role in a tenant. Ask the operator of this ` +
      `service to give one of them a role: lading group map <group> --tenant <tenant> --role reader\n${own}`,
  );
}
