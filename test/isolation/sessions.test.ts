import { beforeAll, describe, expect, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { createAccessToken } from "../../packages/service/src/tenants/access-tokens.ts";
import { type CreatedTenant, createTenant } from "../../packages/service/src/tenants/create.ts";
import { type Browser, openBrowser, tokenOf } from "../../packages/service/test/http/console/browser.ts";
import { headersOf, openApi } from "../../packages/service/test/http/support.ts";
import { revokeToken } from "../../packages/service/test/tenants/operator-api.ts";
import { engines } from "../support/engines.ts";
import { withStreams } from "../support/generated/calls.ts";
import { opened } from "../support/opened.ts";
import { addressOf, tenantRoutes } from "./routes.ts";
import { stateOf } from "./state.ts";

const fields = withStreams(coreSchema());

describe.each(engines)("two tenants with sessions on $name", ({ open }) => {
  let stranger: CreatedTenant;

  const api = opened(() => openApi({ open, rateLimit: 0, wrongCredentialsLimit: 0 }));
  beforeAll(async () => {
    stranger = await createTenant(api.database, { identifier: "stranger" });
  });

  const shopState = () => stateOf(api.database, api.shop.tenant.id);
  const newToken = ({ tenant }: CreatedTenant, role: "admin" | "reader" = "admin") =>
    createAccessToken(api.database, tenant.id, { name: "browser", role });
  const signedIn = async (tenant: CreatedTenant, browser = openBrowser(api.server)) => {
    const answer = await browser.signIn(tenant.tenant.identifier, await newToken(tenant));
    expect(answer.statusCode, answer.body).toBe(200);
    return browser;
  };
  const makeCode = (tenant: string, token: { id: string; secret: string }) =>
    api.server.inject({ method: "POST", url: `/@${tenant}/console-code`, headers: headersOf(token) });
  const useCode = (browser: Browser, payload: object) =>
    browser.send({ method: "POST", url: "/console/session", payload });
  const statusAt = async (browser: Browser, tenant: string) => (await browser.ask(tenant)).statusCode;
  const signedInTo = async (browser: Browser): Promise<string[]> =>
    (await browser.send({ url: "/console/session" }))
      .json()
      .tenants.map(({ identifier }: { identifier: string }) => identifier);

  test("a session of one tenant calls no query, mutation or subscription of another one", async () => {
    const before = await shopState();
    const browser = await signedIn(stranger);
    for (const field of fields) {
      const payload = field.call([api.shop.tenant.rootItemId]);
      const { statusCode, body } = await browser.send({ method: "POST", url: "/@shop", payload });
      expect([statusCode, JSON.parse(body).data], field.name).toEqual([401, undefined]);
    }
    expect(await shopState()).toEqual(before);
  });

  test("a session of one tenant gets no file or stream of another one", async () => {
    const browser = await signedIn(stranger);
    for (const { route } of tenantRoutes.filter(({ route }) => route.startsWith("GET "))) {
      const at = (tenant: string) => addressOf(route, { tenant, task: api.shop.tenant.rootItemId }).path;
      expect((await browser.send({ url: at("shop") })).statusCode, route).toBe(401);
      const own = await browser.send({ url: at("stranger") });
      expect([200, 404], `${route}: ${own.body}`).toContain(own.statusCode);
    }
  });

  test("neither a session nor a token of one tenant creates a code of another one", async () => {
    const before = await shopState();
    const browser = await signedIn(stranger);
    const bySession = await browser.send({ method: "POST", url: "/@shop/console-code" });
    const byToken = await makeCode("shop", tokenOf(stranger));
    expect([bySession.statusCode, byToken.statusCode]).toEqual([401, 401]);
    expect(await shopState()).toEqual(before);
  });

  test("a session cannot sign anyone else out of another tenant", async () => {
    const own = await signedIn(api.shop);
    const browser = await signedIn(stranger);
    const before = await shopState();
    expect((await browser.send({ method: "DELETE", url: "/console/session/shop" })).statusCode).toBe(204);
    expect((await browser.send({ method: "DELETE", url: "/console/session" })).statusCode).toBe(204);
    expect(await shopState()).toEqual(before);
    expect(await statusAt(own, "shop")).toBe(200);
  });

  test("a token or a code of one tenant adds no other one to a session", async () => {
    const before = await shopState();
    const browser = await signedIn(stranger);
    expect((await browser.signIn("shop", tokenOf(stranger))).statusCode).toBe(401);
    const { code } = (await makeCode("stranger", tokenOf(stranger))).json();
    expect((await useCode(browser, { code, tenant: "shop" })).statusCode).toBe(401);
    expect((await useCode(browser, { code, tenant: "stranger" })).statusCode).toBe(200);
    expect(await signedInTo(browser)).toEqual(["stranger"]);
    expect(await statusAt(browser, "shop")).toBe(401);
    expect(await shopState()).toEqual(before);
  });

  test("a session of two tenants has in each the role of its token there", async () => {
    const browser = await signedIn(stranger);
    await browser.signIn("shop", await newToken(api.shop, "reader"));
    const dumps = ["shop", "stranger"].map((tenant) => browser.send({ url: `/@${tenant}/dump.json` }));
    expect((await Promise.all(dumps)).map(({ statusCode }) => statusCode)).toEqual([403, 200]);
  });

  test.each(["revoked", "expired"])(
    "a token that is %s immediately ends its part of a session and its code, not other tenants' parts",
    async (end) => {
      const browser = await signedIn(stranger);
      const token = await newToken(api.shop);
      const { code } = (await makeCode("shop", token)).json();
      await browser.signIn("shop", token);
      expect(await signedInTo(browser)).toEqual(["shop", "stranger"]);
      const expire = "UPDATE access_tokens SET expires_at = now() WHERE id = $1";
      await (end === "revoked" ? revokeToken(api, token.id) : api.database.execute(expire, [token.id]));
      expect([await statusAt(browser, "shop"), await statusAt(browser, "stranger")]).toEqual([401, 200]);
      expect(await signedInTo(browser)).toEqual(["stranger"]);
      expect((await useCode(openBrowser(api.server), { tenant: "shop", code })).statusCode).toBe(401);
    },
  );
});
