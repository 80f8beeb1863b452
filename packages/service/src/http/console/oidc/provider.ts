import { isObject } from "@lading/schema/internal";
import type * as OpenidClient from "openid-client";
import type { ServiceOptions } from "../../../settings/settings.ts";
import { settings } from "../../../settings/settings.ts";
import { isLoopback } from "../../../system/loopback.ts";
import { errorMessage } from "../../../system/thrown.ts";
import type { Confirmation, IdentityProvider } from "../../../tenants/persons.ts";
import { type Claims, identityOf, WrongClaims } from "./claims.ts";

export const providerLimits = {
  /** Milliseconds for one request to the provider, and for all of a sign-in or renewal. */
  requestMs: 4_000,
  totalMs: 8_000,
  /** Bytes of an answer. */
  answerBytes: 1_048_576,
  /** Milliseconds for which the provider's addresses are remembered, and for which a failure is. */
  metadataMs: 600_000,
  failureMs: 5_000,
  /** Characters of an ID token that is kept as a hint for signing out. */
  hintLength: 4_096,
} as const;

/** The provider could not be reached, or cannot work for now. */
export class ProviderAway extends Error {
  override name = "ProviderAway";
}

/** The provider, or a check of its answer, refused the sign-in. */
export class SignInRefused extends Error {
  override name = "SignInRefused";
  /** The error's name in OAuth 2.0, if the provider sent one. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** The values that a sign-in must match when it comes back. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Provider extends IdentityProvider {
  /** Its name for people: the host of the issuer. */
  readonly name: string;
  /** Why the provider cannot be used for now; undefined when it can. */
  problem(): Promise<string | undefined>;
  /** Makes the URL that begins a sign-in; `silent` asks for one without questions. */
  begin(redirectUri: string, silent: boolean): Promise<SignInChecks & { url: string }>;
  /** Verifies the URL that the provider sent the browser to. Throws `ProviderAway` or `SignInRefused`. */
  finish(url: URL, checks: SignInChecks): Promise<Confirmation>;
  /** Makes the URL that ends the session at the provider; undefined when it has none. */
  signOutUrl(returnTo: string, idToken: string | undefined): Promise<string | undefined>;
}

/** The provider of the settings; undefined without an issuer. Its library is loaded when it is needed. */
export function openProvider(options: ServiceOptions): Provider | undefined {
  const { oidcIssuer: issuer, oidcClientId: id, oidcClientSecret: secret } = options;
  if (issuer === undefined || id === undefined || secret === undefined) return undefined;
  const { oidcScopes = settings.oidcScopes.default } = options;
  const { oidcGroupsClaim: groupsClaim = settings.oidcGroupsClaim.default } = options;
  const open = clients(issuer, id, secret);
  return {
    issuer,
    name: new URL(issuer).host,
    problem: () =>
      inTime(open()).then(
        () => undefined,
        (error) => errorMessage(error),
      ),
    async begin(redirectUri, silent) {
      const { oidc, config } = await inTime(open());
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
      const verifier = oidc.randomPKCECodeVerifier();
      const url = oidc.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: oidcScopes.join(" "), state, nonce },
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...(silent && { prompt: "none" }),
      });
      return { url: url.href, state, nonce, verifier };
    },
    finish: (url, { state, nonce, verifier }) =>
      inTime(
        open().then(async (client) => {
          const tokens = await client.oidc.authorizationCodeGrant(client.config, url, {
            ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
            idTokenExpected: true,
          });
          return confirmationOf(client, tokens, { issuer, groupsClaim });
        }),
      ),
    async renew(refreshToken, subject) {
      let rotated: string | undefined;
      const work = open().then(async (client) => {
        onRefreshToken(client, (token) => {
          rotated = token;
        });
        const tokens = await client.oidc.refreshTokenGrant(client.config, refreshToken);
        return confirmationOf(client, tokens, { issuer, groupsClaim, subject });
      });
      return inTime(work).catch((error) => ({
        isAway: error instanceof ProviderAway,
        reason: errorMessage(error),
        refreshToken: rotated,
      }));
    },
    async signOutUrl(returnTo, idToken) {
      const { oidc, config } = await inTime(open());
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      const hint: Record<string, string> = idToken === undefined ? {} : { id_token_hint: idToken };
      return oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo, ...hint }).href;
    },
  };
}

interface Client {
  oidc: typeof OpenidClient;
  config: OpenidClient.Configuration;
}

/**
 * Makes the function that opens a client of the provider: a new one each time, which reads the provider's keys anew, as
 * they may have been rotated.
 */
function clients(issuer: string, id: string, secret: string): () => Promise<Client> {
  const discovered = discoveries(issuer, id);
  return async () => {
    const { oidc, metadata } = await discovered();
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication = methods.includes("client_secret_basic")
      ? oidc.ClientSecretBasic(secret)
      : oidc.ClientSecretPost(secret);
    const config = new oidc.Configuration(metadata, id, undefined, authentication);
    config[oidc.customFetch] = limitedFetch;
    config.timeout = providerLimits.requestMs / 1_000;
    // The signature of each ID token is verified, as well as that TLS led to the provider.
    oidc.enableNonRepudiationChecks(config);
    if (isPlainHttp(issuer)) oidc.allowInsecureRequests(config);
    return { oidc, config };
  };
}

type Tokens = OpenidClient.TokenEndpointResponse & OpenidClient.TokenEndpointResponseHelpers;

/**
 * The person in a token answer, whose ID token the library has verified. UserInfo has what the token lacks.
 *
 * @param subject the person that it must be
 */
async function confirmationOf(
  { oidc, config }: Client,
  tokens: Tokens,
  { issuer, groupsClaim, subject }: { issuer: string; groupsClaim: string; subject?: string },
): Promise<Confirmation> {
  const idClaims: Claims = tokens.claims() ?? {};
  const { sub = subject } = idClaims;
  if (typeof sub !== "string" || sub !== (subject ?? sub))
    throw new SignInRefused("The ID token is of another person");
  const isWhole = "sub" in idClaims && (groupsClaim in idClaims || "_claim_names" in idClaims);
  const hasMore = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
  if (!hasMore && !("sub" in idClaims)) throw new ProviderAway("The provider renews without an ID token");
  const more = hasMore ? await oidc.fetchUserInfo(config, tokens.access_token, sub) : {};
  const { refresh_token: refreshToken, id_token: idToken = "" } = tokens;
  const hint = idToken !== "" && idToken.length <= providerLimits.hintLength ? { idToken } : {};
  return {
    identity: identityOf({ ...more, ...idClaims, sub }, issuer, groupsClaim),
    secrets: { refreshToken, ...hint },
  };
}

/**
 * Passes on the refresh token of a renewal as soon as it is answered: a later request may fail, and the token that was
 * sent be valid only once.
 */
function onRefreshToken({ oidc, config }: Client, keep: (token: string | undefined) => void): void {
  config[oidc.customFetch] = async (url, options) => {
    const response = await limitedFetch(url, options);
    // The provider's keys and UserInfo are read by GET.
    if (options.method === "POST") keep(await refreshTokenIn(response));
    return response;
  };
}

/** The refresh token in an answer of the token endpoint, which can be read again. */
async function refreshTokenIn(response: Response): Promise<string | undefined> {
  const answer: unknown = response.ok
    ? await response
        .clone()
        .json()
        .catch(() => undefined)
    : undefined;
  return isObject(answer) && typeof answer.refresh_token === "string" ? answer.refresh_token : undefined;
}

const isPlainHttp = (issuer: string) => isLoopback(new URL(issuer)) && issuer.startsWith("http:");

/** Returns a function that reads the provider's metadata, and remembers it, or for a short time why it failed. */
function discoveries(issuer: string, clientId: string) {
  type Discovered = { oidc: typeof OpenidClient; metadata: OpenidClient.ServerMetadata };
  let known: { answer: Promise<Discovered>; until: number } | undefined;
  const discover = async (): Promise<Discovered> => {
    const oidc = await import("openid-client");
    const config = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
      [oidc.customFetch]: limitedFetch,
      timeout: providerLimits.requestMs / 1_000,
      ...(isPlainHttp(issuer) && { execute: [oidc.allowInsecureRequests] }),
    });
    const metadata = config.serverMetadata();
    // The library lets Entra ID have another one: with /common/ it would sign in people of every organisation.
    if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new Error(otherIssuer(metadata.issuer));
    return { oidc, metadata };
  };
  return (): Promise<Discovered> => {
    if (known !== undefined && known.until > Date.now()) return known.answer;
    const { metadataMs, failureMs, requestMs } = providerLimits;
    const answer = discover().catch((error) => {
      throw new ProviderAway(`${issuer} cannot be used as an OpenID Connect provider: ${reasonOf(error)}`);
    });
    const entry = { answer, until: Date.now() + requestMs + failureMs };
    known = entry;
    answer.then(
      () => {
        entry.until = Date.now() + metadataMs;
      },
      () => {
        entry.until = Date.now() + failureMs;
      },
    );
    return answer;
  };
}

/** `fetch` that follows no redirect, and reads no more than the limit of an answer. */
const limitedFetch: OpenidClient.CustomFetch = async (url, { body, ...options }) => {
  const { signal } = options;
  const timeout = AbortSignal.timeout(providerLimits.requestMs);
  const response = await fetch(url, {
    ...options,
    ...{ body: body as BodyInit | null, redirect: "manual" },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > providerLimits.answerBytes)
      throw new ProviderAway(`The provider's answer is larger than ${providerLimits.answerBytes} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : new Blob(chunks), { status, headers });
};

/** Waits for work with the provider for a limited time. Throws `ProviderAway` or `SignInRefused`. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ProviderAway("The provider did not answer in time")),
    providerLimits.totalMs,
  );
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw classified(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Codes of openid-client for a missing or unreadable answer. */
const awayCodes = [
  ...["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_PARSE_ERROR"],
  ...["OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"],
];
/** Errors of OAuth 2.0 that are no fault of the person: of the service's settings, or temporary. */
const awayErrors = ["invalid_client", "unauthorized_client", "temporarily_unavailable", "server_error"];

/** Makes `ProviderAway` or `SignInRefused` of an error. */
function classified(error: unknown): Error {
  const own = [error, causeOf(error)].find(
    (each) => each instanceof ProviderAway || each instanceof SignInRefused,
  );
  if (own instanceof Error) return own;
  if (error instanceof WrongClaims) return new SignInRefused(`${error.message}`);
  const { code, error: oauthError, status = 0 } = fieldsOf(error);
  const isAway =
    error instanceof TypeError ||
    (error instanceof Error && ["TimeoutError", "AbortError"].includes(error.name)) ||
    (oauthError === undefined ? awayCodes.includes(`${code}`) : awayErrors.includes(oauthError)) ||
    status >= 500 ||
    status === 429;
  const reason = reasonOf(error);
  return isAway ? new ProviderAway(reason) : new SignInRefused(reason, oauthError);
}

const causeOf = (error: unknown) => (error instanceof Error ? error.cause : undefined);

function fieldsOf(error: unknown): {
  code?: string;
  error?: string;
  status?: number;
  error_description?: string;
} {
  return typeof error === "object" && error !== null ? error : {};
}

const otherIssuer = (issuer: string) => `its issuer is ${issuer.slice(0, 200)}`;

/** Says what went wrong, with what the provider said of it. */
function reasonOf(error: unknown): string {
  const { error: name, error_description: description } = fieldsOf(error);
  if (name !== undefined) return description === undefined ? name : `${name}: ${description}`;
  const cause = causeOf(error);
  if (isObject(cause) && cause.attribute === "issuer" && isObject(cause.body))
    return otherIssuer(`${cause.body.issuer}`);
  if (cause instanceof Response)
    return `${errorMessage(error)}: ${cause.status} ${cause.headers.get("content-type") ?? ""}`.trimEnd();
  return cause instanceof Error ? `${errorMessage(error)}: ${cause.message}` : errorMessage(error);
}
