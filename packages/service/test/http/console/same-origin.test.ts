import type { FastifyInstance, InjectOptions } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { createAccessToken } from "../../../src/tenants/access-tokens.ts";
import { type Api, useApi } from "../support.ts";
import { fromOwnPage, openBrowser } from "./browser.ts";

let server: FastifyInstance | undefined;

const api = useApi({ rateLimit: 0, wrongCredentialsLimit: 0 });
afterEach(() => server?.close());

const newToken = () =>
  createAccessToken(api.database, api.shop.tenant.id, { name: "browser", role: "admin" });
const codeOf = ({ body }: { body: string }) => JSON.parse(body).errors?.[0].extensions.code;

async function signedIn(settings: Parameters<Api["another"]>[0] = {}, headers = {}) {
  server = api.another({ rateLimit: 0, ...settings });
  const browser = openBrowser(server, headers);
  const answer = await browser.signIn("shop", await newToken());
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return browser;
}

const tenantRequests: Record<string, InjectOptions> = {
  query: { method: "POST", url: "/@shop", payload: { query: "{ __typename }" } },
  core: { method: "POST", url: "/@shop/core", payload: { query: "{ __typename }" } },
  subscription: {
    method: "POST",
    url: "/@shop",
    payload: { query: 'subscription { bulkTask(id: "x") { __typename } }' },
  },
  events: { method: "GET", url: "/@shop/tasks/none/events" },
  log: { method: "GET", url: "/@shop/tasks/none/operations.jsonl" },
  failures: { method: "GET", url: "/@shop/tasks/none/failures.json" },
  file: { method: "GET", url: "/@shop/tasks/none/file" },
  head: { method: "HEAD", url: "/@shop/tasks/none/file" },
  dump: { method: "GET", url: "/@shop/dump.json" },
  list: { method: "GET", url: "/console/session" },
  open: { method: "POST", url: "/console/session", payload: {} },
  end: { method: "DELETE", url: "/console/session" },
  endOne: { method: "DELETE", url: "/console/session/shop" },
};

describe("with the cookie of a session", () => {
  test.each(Object.entries(tenantRequests))(
    "the request `%s` is refused when another page sends it, or none says that it did",
    async (_name, request) => {
      const browser = await signedIn();
      for (const headers of [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { "sec-fetch-site": "same-origin, same-origin" },
        { "sec-fetch-site": "cross-site", origin: "http://localhost" },
        { "sec-fetch-site": undefined, origin: "https://evil.example" },
        { "sec-fetch-site": undefined, origin: "null" },
        { "sec-fetch-site": undefined, origin: "http://localhost:4001" },
        { "sec-fetch-site": undefined },
      ]) {
        const answer = await browser.send({ ...request, headers });
        expect(answer.statusCode, JSON.stringify(headers)).toBe(403);
        if (request.method !== "HEAD") expect(codeOf(answer)).toBe("CrossOriginRequest");
      }
      const own = await browser.send({ ...request, headers: {} });
      expect(own.statusCode).not.toBe(403);
      expect(own.headers["cache-control"]).toBe("no-store");
    },
  );

  test("a browser that does not send Sec-Fetch-Site is known by the origin of its page", async () => {
    const browser = await signedIn();
    const headers = { "sec-fetch-site": undefined, origin: "http://localhost" };
    expect((await browser.send({ ...tenantRequests.query, headers })).statusCode).toBe(200);
  });

  test("behind a proxy that changes Host the public address is the origin of the console's pages", async () => {
    const publicUrl = () => "https://lading.example.com/shop";
    const origin = "https://lading.example.com";
    const browser = await signedIn({ publicUrl }, { origin });
    const headers = { "sec-fetch-site": undefined };
    expect((await browser.send({ ...tenantRequests.query, headers })).statusCode).toBe(200);
    const plain = { ...headers, origin: "http://lading.example.com" };
    expect((await browser.send({ ...tenantRequests.query, headers: plain })).statusCode).toBe(403);
  });

  test("CORS lets no page of a listed origin use a session", async () => {
    const origin = "https://shop.example";
    const browser = await signedIn({ corsOrigins: ["*", origin] });
    const headers = { "sec-fetch-site": "cross-site", origin };
    for (const [name, request] of Object.entries(tenantRequests)) {
      const answer = await browser.send({ ...request, headers });
      expect([answer.statusCode, name]).toEqual([403, name]);
      expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
    }
    const asking = { "access-control-request-method": "POST", origin };
    const preflight = await browser.send({ method: "OPTIONS", url: "/console/session", headers: asking });
    expect(preflight.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("a request to change to another protocol is a request as any other", async () => {
    const browser = await signedIn();
    const headers = { connection: "upgrade", upgrade: "websocket", "sec-fetch-site": "cross-site" };
    expect((await browser.send({ url: "/@shop/tasks/none/events", headers })).statusCode).toBe(403);
  });
});

describe("the cookie of a session", () => {
  const attributes = ({ setCookie = "" }: { setCookie: string | undefined }) =>
    setCookie.split("; ").slice(1).sort();
  const always = ["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Strict"];

  test("is Secure over HTTPS, and bound to its host", async () => {
    const secure = [
      await signedIn({ trustedProxies: ["127.0.0.1"] }, { host: "a.example", "x-forwarded-proto": "https" }),
      await signedIn({}, { host: "127.0.0.1:4000", origin: "https://a.example" }),
      await signedIn({ publicUrl: () => "https://a.example" }, { host: "a.example" }),
    ];
    for (const browser of secure) {
      expect(browser.cookie).toMatch(/^__Host-lading-session=/);
      expect(attributes(browser)).toEqual([...always, "Secure"].sort());
      expect((await browser.ask("shop")).statusCode).toBe(200);
    }
  });

  test("over plain HTTP is set for loopback addresses only, with the port in its name", async () => {
    for (const [host, port] of [
      ["localhost:4000", 4000],
      ["127.0.0.1:4001", 4001],
      ["[::1]:4002", 4002],
      ["localhost", 80],
    ] as const) {
      const browser = await signedIn({}, { host });
      expect(browser.cookie, host).toMatch(new RegExp(`^lading-session-${port}=`));
      expect(attributes(browser)).toEqual(always);
      expect((await browser.ask("shop")).statusCode).toBe(200);
    }
  });

  test("is neither set nor accepted over plain HTTP elsewhere", async () => {
    const browser = await signedIn({}, {});
    for (const headers of [
      { host: "lading.example.com" },
      { host: "10.0.0.7:4000" },
      { host: "127.0.0.1.example.com" },
      { host: "lading.example.com", "x-forwarded-proto": "https" },
      { host: "localhost", origin: "http://lading.example.com" },
    ]) {
      const stranger = openBrowser(server as FastifyInstance, headers);
      const answer = await stranger.signIn("shop", await newToken());
      expect([answer.statusCode, codeOf(answer)], JSON.stringify(headers)).toEqual([
        403,
        "SecureConnectionRequired",
      ]);
      expect(stranger.setCookie).toBeUndefined();
      if (headers.host === "localhost") continue;
      const sent = await browser.send({ ...tenantRequests.query, headers });
      expect(sent.statusCode, JSON.stringify(headers)).toBe(401);
    }
  });

  test("counts on its own kind of connection only, over real HTTP", async () => {
    server = api.another({ rateLimit: 0 });
    const url = await server.listen({ port: 0, host: "127.0.0.1" });
    const ask = async (path: string, cookies: readonly string[], body?: object) => {
      const headers = {
        ...fromOwnPage,
        origin: url,
        cookie: cookies.join("; "),
        "content-type": "application/json",
      };
      return fetch(url + path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
    };
    const cookieOf = (answer: { headers: { get(name: string): string | null } }) =>
      answer.headers.get("set-cookie")?.split(";")[0] ?? expect.fail("no cookie");
    const signIn = async (cookies: readonly string[]) => {
      const { id, secret } = await newToken();
      return ask("/console/session", cookies, {
        tenant: "shop",
        accessTokenId: id,
        accessTokenSecret: secret,
      });
    };
    const planter = cookieOf(await signIn([]));
    const planted = `__Host-lading-session=${planter.split("=")[1]}`;
    const own = cookieOf(await signIn([planted]));
    expect(own).toMatch(/^lading-session-\d+=/);
    const query = { query: "{ accessToken { id } }" };
    expect((await ask("/@shop", [planted], query)).status).toBe(401);
    expect(await (await ask("/console/session", [planted])).json()).toEqual({ tenants: [] });
    const answers = await Promise.all(
      [[planted, own], [own, planted], [own], [planter]].map((cookies) => ask("/@shop", cookies, query)),
    );
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json()).data.accessToken.id));
    expect([ids[0], ids[1]]).toEqual([ids[2], ids[2]]);
    expect(ids[3]).not.toBe(ids[2]);
    const secure = { ...fromOwnPage, host: "localhost:4000", origin: "https://localhost:4000" };
    const plainOnly = await server.inject({
      url: "/console/session",
      headers: { ...secure, cookie: `lading-session-4000=${own.split("=")[1]}` },
    });
    expect(plainOnly.json()).toEqual({ tenants: [] });
  });

  test("grants no access to a service without the console", async () => {
    const { cookie } = await signedIn();
    const without = openBrowser(api.another({ console: false }));
    without.cookie = cookie;
    expect((await without.ask("shop")).statusCode).toBe(401);
    expect((await without.signIn("shop", await newToken())).statusCode).toBe(404);
  });

  test("grants no access to the operator's API", async () => {
    const browser = await signedIn();
    const answer = await browser.send({
      method: "POST",
      url: "/operator",
      payload: { query: "{ __typename }" },
    });
    expect(answer.statusCode).toBe(401);
  });
});
