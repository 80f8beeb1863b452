import { type TokenRole, tokenRoles } from "@lading/schema/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, isRight, routeRights } from "../../packages/service/src/http/route-rights.ts";
import { may } from "../../packages/service/src/tenants/rights.ts";
import { fromOwnPage } from "../../packages/service/test/http/console/browser.ts";
import { type Access, clientWithRole, type TenantClient } from "../support/client.ts";
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from "../support/servers/identity-provider.ts";
import { openService, pendingTask, type TestService, tokenHeaders } from "../support/service.ts";
import { addressOf, tenantRoutes, withRoutes } from "./routes.ts";

let idp: IdentityProvider;
let service: TestService;
let routes: ReadonlySet<string>;
let tokens: Record<TokenRole | "stranger", TenantClient>;
let task: string;

beforeAll(async () => {
  idp = await startIdentityProvider("http://localhost");
  const oidc = { oidcIssuer: idp.issuer, oidcClientId: clientId, oidcClientSecret: clientSecret };
  const unlimited = { rateLimit: 0, wrongCredentialsLimit: 0 };
  const options = { ...oidc, ...unlimited, corsOrigins: ["https://shop.example"] };
  ({ started: service, routes } = await withRoutes(() => openService("postgresql", options)));
  const admin = await service.tenant("owner");
  const of = (role: "reader" | "planner") => clientWithRole(service, admin, role);
  tokens = {
    reader: await of("reader"),
    planner: await of("planner"),
    admin,
    stranger: await service.tenant("stranger"),
  };
  task = await pendingTask(admin);
});
afterAll(async () => {
  await service.close();
  await idp.close();
});

type Headers = Readonly<Record<string, string>>;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The headers of each caller. */
const everyCaller = (): Record<string, Headers> => ({
  nobody: {},
  ...Object.fromEntries(Object.entries(tokens).map(([name, client]) => [name, tokenHeaders(client)])),
  "with a wrong operator's token": bearer("x".repeat(64)),
  "with the secret of an access token as the operator's": bearer(tokens.admin.access.accessTokenSecret),
  operator: bearer(service.operatorToken),
});

async function send(route: string, headers: Headers, body?: FormData | string): Promise<Response> {
  const { method, path } = addressOf(route, { tenant: "owner", task });
  const answer = await fetch(service.url + path, {
    ...{ method, redirect: "manual" },
    headers: { connection: "close", accept: "text/html", ...headers },
    body: body ?? null,
  });
  // An event stream does not end by itself.
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) await answer.body?.cancel();
  return answer;
}

const statusOf = async (...request: Parameters<typeof send>) => {
  const answer = await send(...request);
  if (!answer.body?.locked) await answer.body?.cancel();
  return answer.status;
};

/** The status of the answer to each caller. */
const statuses = async (route: string, more: Headers = {}, body?: () => FormData) => {
  const found: Record<string, number> = {};
  for (const [name, headers] of Object.entries(everyCaller()))
    found[name] = await statusOf(route, { ...headers, ...more }, body?.());
  return found;
};

const json = { "content-type": "application/json" };
const signIn = ({ accessTokenId, accessTokenSecret }: Access, headers: Headers = fromOwnPage) =>
  send(
    "POST /console/session",
    { ...json, ...headers },
    JSON.stringify({ tenant: "owner", accessTokenId, accessTokenSecret }),
  );

const isHead = (route: string) => route.startsWith("HEAD ");

test("the table has every route of the service, and no other", () => {
  const served = [...routes].filter(
    (route) => !routes.has(route.replace(/^HEAD /, "GET ")) || !isHead(route),
  );
  const listed = served.map((route) => route.replace(/(?<=\/graphiql\/)\d[^/]+/, ":version"));
  expect(listed.sort()).toEqual(Object.keys(routeRights).sort());
});

describe.each(tenantRoutes)("$route", ({ route, right }) => {
  test("is refused without a token of the tenant", async () => {
    const { reader: _, planner: __, admin: ___, ...others } = await statuses(route);
    expect(new Set(Object.values(others)), JSON.stringify(others)).toEqual(new Set([401]));
  });

  test.each(tokenRoles)("is answered to the role %s as the table says", async (role) => {
    const status = await statusOf(route, tokenHeaders(tokens[role]));
    expect(status === 403, `${status}`).toBe(!may({ role }, right));
    expect([401, 500]).not.toContain(status);
  });
});

/** Checks that a route answers those who may call it, and no others. */
const checks: Record<Caller, (route: string) => Promise<void>> = {
  async anyone(route) {
    const found = new Set(Object.values(await statuses(route)));
    expect([...found]).toHaveLength(1);
    expect([401, 403, 500]).not.toContain([...found][0]);
  },

  async operator(route) {
    const { operator, ...others } = await statuses(route);
    expect(operator).toBe(400);
    expect(new Set(Object.values(others)), JSON.stringify(others)).toEqual(new Set([401]));
  },

  async form(route) {
    const { it } = await tokens.planner.graphql<{ it: { fields: { name: string; value: string }[] } }>(
      `mutation { it: generatePresignedUploadRequest(
         type: MASS_OPERATIONS, filename: "a.json", contentType: "application/json") {
         ... on PresignedUploadRequest { fields { name value } } ... on BasicError { error } } }`,
    );
    const form = (isOf: (name: string) => boolean, signature?: string) => () => {
      const data = new FormData();
      for (const { name, value } of it.fields.filter(({ name }) => isOf(name)))
        data.append(name, (/signature/i.test(name) && signature) || value);
      data.append("file", new Blob(["{}"]));
      return data;
    };
    const unsigned = await statuses(
      route,
      {},
      form((name) => name === "key"),
    );
    expect(new Set(Object.values(unsigned))).toEqual(new Set([400]));
    const forged = await statuses(
      route,
      {},
      form(() => true, "0".repeat(64)),
    );
    expect(new Set(Object.values(forged))).toEqual(new Set([403]));
    expect(await statusOf(route, tokenHeaders(tokens.stranger), form(() => true)())).toBe(201);
  },

  async credentials(route) {
    for (const status of Object.values(await statuses(route))) expect(status).toBe(403);
    for (const status of Object.values(await statuses(route, fromOwnPage))) expect(status).toBe(400);
    for (const role of tokenRoles) expect((await signIn(tokens[role].access)).status).toBe(200);
    expect((await signIn(tokens.admin.access, {})).status).toBe(403);
    expect((await signIn(tokens.stranger.access)).status).toBe(401);
    const { access } = tokens.admin;
    expect((await signIn({ ...access, accessTokenSecret: service.operatorToken })).status).toBe(401);
  },

  async session(route) {
    const [cookie = ""] = (await signIn(tokens.admin.access)).headers.get("set-cookie")?.split(";") ?? [];
    const [name] = cookie.split("=");
    const tenants = async () =>
      (await (await send("GET /console/session", { ...fromOwnPage, cookie })).json()).tenants.length;
    for (const status of Object.values(await statuses(route, { cookie }))) expect(status).toBe(403);
    for (const status of Object.values(
      await statuses(route, { ...fromOwnPage, cookie: `${name}=${"A".repeat(43)}` }),
    ))
      expect(status).toBe(401);
    const without = await send(route, { ...fromOwnPage, ...tokenHeaders(tokens.admin) });
    expect(await without.text()).toBe(route.startsWith("GET") ? '{"tenants":[]}' : "");
    expect(await tenants()).toBe(1);
    expect((await send(route, { ...fromOwnPage, cookie })).ok).toBe(true);
  },

  async beginning(route) {
    for (const site of ["same-origin", "none"])
      for (const status of Object.values(await statuses(route, { "sec-fetch-site": site })))
        expect(status).toBe(303);
    for (const status of Object.values(await statuses(route, { "sec-fetch-site": "cross-site" })))
      expect(status).toBe(403);
  },

  async begun(route) {
    for (const status of Object.values(await statuses(route))) expect(status).toBe(401);
  },
};

const otherRoutes = Object.entries(routeRights).flatMap(([route, needed]) =>
  isRight(needed) ? [] : [[route, needed] as const],
);

test.each(otherRoutes)("%s is for: %s", (route, caller) => checks[caller](route));
