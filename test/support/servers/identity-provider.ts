import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import Provider, { type Configuration } from "oidc-provider";

/** An answer in place of the provider's own. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface IdentityProvider {
  issuer: string;
  /** The claims of each person, by `sub`. */
  persons: Map<string, Record<string, unknown>>;
  /** The person who is signed in at the provider; undefined: nobody, and nobody can be. */
  signedIn: string | undefined;
  issuesRefreshTokens: boolean;
  /** Answers to paths such as `/token`, in place of the provider's own. */
  answers: Map<string, Answer>;
  /** Requests by path. */
  asked: string[];
  /** Signs an ID token, as of this provider and for this client unless the claims say otherwise. */
  idToken(claims: JWTPayload, key?: "published" | "other"): Promise<string>;
  /** Replaces the key that it signs with, and publishes no other. */
  rotateKey(): Promise<void>;
  /** Revokes everything that was issued to a person. */
  endSessions(): void;
  /** Follows the redirects of a browser from an authorization URL, and returns the one that leads back. */
  visit(url: string): Promise<URL>;
  close(): Promise<void>;
}

export const clientId = "lading";
export const clientSecret = "a secret of the client with at least 32 characters";

/** Starts a real OpenID Connect provider, at which everybody is signed in who is named. */
export async function startIdentityProvider(publicUrl: string): Promise<IdentityProvider> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [first, other] = await Promise.all([newKey("published"), newKey("other")]);
  let published = first;
  let stored = new Map<string, unknown>();
  const idp: IdentityProvider = {
    ...{ issuer, persons: new Map(), signedIn: undefined, issuesRefreshTokens: true },
    ...{ answers: new Map(), asked: [] },
    idToken: (claims, by = "published") =>
      new SignJWT({ iss: issuer, aud: clientId, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: by === "published" ? published.kid! : by })
        .setIssuedAt(claims.iat)
        .setExpirationTime(claims.exp ?? "5m")
        .sign(by === "published" ? published : other),
    async rotateKey() {
      published = await newKey("rotated");
      open();
    },
    endSessions() {
      stored = new Map();
    },
    visit: (url) => visit(url, publicUrl),
    close: () => closed(server),
  };
  let provider: Provider;
  let handle: ReturnType<Provider["callback"]>;
  const open = () => {
    provider = new Provider(issuer, configuration(idp, { publicUrl, key: published, stored: () => stored }));
    handle = provider.callback();
  };
  open();
  server.on("request", async (request, response) => {
    const { pathname } = new URL(request.url ?? "", issuer);
    idp.asked.push(pathname);
    const answer = idp.answers.get(pathname);
    if (answer !== undefined) return answer(request, response);
    if (!pathname.startsWith("/interaction/")) return handle(request, response);
    const result =
      idp.signedIn === undefined
        ? { error: "access_denied", error_description: "<b>not</b> today" }
        : { login: { accountId: idp.signedIn } };
    await provider.interactionFinished(request, response, result);
  });
  return idp;
}

const newKey = async (kid: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
};

const configuration = (
  idp: IdentityProvider,
  { publicUrl, key, stored }: { publicUrl: string; key: JWK; stored: () => Map<string, unknown> },
): Configuration => ({
  ...{ jwks: { keys: [key] }, cookies: { keys: ["a key of the cookies"] } },
  clients: [
    {
      ...{ client_id: clientId, client_secret: clientSecret },
      redirect_uris: [`${publicUrl}/console/oidc/callback`],
      post_logout_redirect_uris: [`${publicUrl}/console/sign-in`],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
  ],
  claims: { openid: ["sub", "groups"], profile: ["name"] },
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  adapter: (model: string) => memory(model, stored),
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: async () => ({ sub, ...idp.persons.get(sub) }),
  }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  issueRefreshToken: async () => idp.issuesRefreshTokens,
  rotateRefreshToken: true,
  loadExistingGrant: async (context) => {
    const { client, session } = context.oidc;
    const grant = new context.oidc.provider.Grant({
      clientId: client!.clientId,
      accountId: session!.accountId!,
    });
    grant.addOIDCScope("openid profile");
    await grant.save();
    return grant;
  },
});

/** Keeps what the provider stores, until `endSessions`. */
function memory(model: string, stored: () => Map<string, unknown>) {
  const keyOf = (id: string) => `${model}:${id}`;
  const find = async (id: string) => stored().get(keyOf(id)) as never;
  return {
    async upsert(id: string, payload: object) {
      stored().set(keyOf(id), payload);
      if ("uid" in payload) stored().set(keyOf(`uid ${payload.uid}`), payload);
    },
    find,
    findByUid: (uid: string) => find(`uid ${uid}`),
    findByUserCode: find,
    async consume(id: string) {
      Object.assign((await find(id)) ?? {}, { consumed: Math.floor(Date.now() / 1_000) });
    },
    async destroy(id: string) {
      stored().delete(keyOf(id));
    },
    async revokeByGrantId(grantId: string) {
      for (const [key, payload] of stored())
        if (typeof payload === "object" && payload && "grantId" in payload && payload.grantId === grantId)
          stored().delete(key);
    },
  };
}

async function visit(start: string, publicUrl: string): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let url = new URL(start); ; ) {
    if (url.href.startsWith(publicUrl)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${response.status} ${await response.text()}`);
    url = new URL(location, url);
  }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
