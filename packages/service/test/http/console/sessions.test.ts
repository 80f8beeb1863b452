import { describe, expect, test } from "vitest";
import { createAccessToken } from "../../../src/tenants/access-tokens.ts";
import { operator } from "../../../src/tenants/audit.ts";
import { consoleLimits, removeExpiredSessions } from "../../../src/tenants/console-sessions.ts";
import { createTenant } from "../../../src/tenants/create.ts";
import { deleteTenant } from "../../../src/tenants/delete.ts";
import { auditTrail } from "../../tenants/operator-api.ts";
import { headersOf, useApi } from "../support.ts";
import { openBrowser, tokenOf } from "./browser.ts";

describe("a session of the console", () => {
  const api = useApi({ rateLimit: 0 });

  const newToken = (role: "admin" | "reader" = "admin", name = "browser") =>
    createAccessToken(api.database, api.shop.tenant.id, { name, role });
  const signedIn = async (token?: { id: string; secret: string }) => {
    const browser = openBrowser(api.server);
    const answer = await browser.signIn("shop", token ?? (await newToken()));
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
    return browser;
  };
  const codeOf = ({ body }: { body: string }) => JSON.parse(body).errors[0].extensions.code;

  test("a request for a session that is not one is refused, and says what would be right", async () => {
    const browser = openBrowser(api.server);
    const { id, secret } = await newToken();
    const whole = { tenant: "shop", accessTokenId: id, accessTokenSecret: secret };
    const wrong = [
      {},
      [],
      "shop",
      { ...whole, tenant: 1 },
      { ...whole, accessTokenId: "a\0" },
      { ...whole, tenant: "" },
    ];
    for (const payload of wrong) {
      const answer = await browser.send({
        ...{ method: "POST", url: "/console/session", payload: JSON.stringify(payload) },
        headers: { "content-type": "application/json" },
      });
      expect([answer.statusCode, codeOf(answer)], JSON.stringify(payload)).toEqual([400, "BadRequest"]);
      expect(answer.json().message).toContain('"accessTokenSecret"');
    }
    expect(browser.setCookie).toBeUndefined();
  });

  test("a wrong, foreign or expired token opens no session, and an unknown tenant none either", async () => {
    const browser = openBrowser(api.server);
    const other = await createTenant(api.database, { identifier: "elsewhere" });
    const expired = await newToken();
    await api.database.execute("UPDATE access_tokens SET expires_at = now() WHERE id = $1", [expired.id]);
    const tries = [
      await browser.signIn("shop", { id: api.shop.accessTokenId, secret: "wrong" }),
      await browser.signIn("shop", tokenOf(other)),
      await browser.signIn("shop", expired),
      await browser.signIn("nowhere", tokenOf(api.shop)),
    ];
    expect(tries.map((answer) => [answer.statusCode, codeOf(answer)])).toEqual([
      [401, "Unauthorized"],
      [401, "Unauthorized"],
      [401, "Unauthorized"],
      [404, "TenantNotFound"],
    ]);
    expect(browser.setCookie).toBeUndefined();
  });

  test("a session opens its tenant's API, and no other one's", async () => {
    await createTenant(api.database, { identifier: "neighbour" });
    const browser = await signedIn();
    expect((await browser.ask("shop")).json()).toEqual({ data: { tenant: { identifier: "shop" } } });
    const foreign = await browser.ask("neighbour");
    expect([foreign.statusCode, codeOf(foreign)]).toEqual([401, "Unauthorized"]);
    const listed = await browser.send({ url: "/console/session" });
    expect(listed.json().tenants).toEqual([
      {
        identifier: "shop",
        name: "The shop",
        role: "admin",
        tokenName: "browser",
        expiresAt: expect.any(String),
      },
    ]);
    const hours = (Date.parse(listed.json().tenants[0].expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(consoleLimits.sessionHours - 0.1);
    expect(hours).toBeLessThanOrEqual(consoleLimits.sessionHours);
  });

  test("a browser without a session is signed in to nothing, and one with an ended session is refused", async () => {
    const browser = openBrowser(api.server);
    expect((await browser.send({ url: "/console/session" })).json()).toEqual({ tenants: [] });
    browser.cookie = `lading-session-80=${"x".repeat(43)}`;
    const answer = await browser.send({ url: "/console/session" });
    expect([answer.statusCode, codeOf(answer)]).toEqual([401, "Unauthorized"]);
  });

  test("a session has the role of its token", async () => {
    const browser = await signedIn(await newToken("reader"));
    const change = `mutation { createCustomerGroup(input: {identifier: "g"}) {
      ... on CustomerGroup { identifier } ... on BasicError { errorName } } }`;
    expect((await browser.ask("shop", change)).json().data.createCustomerGroup).toEqual({
      errorName: "UnauthorizedError",
    });
    expect((await browser.send({ url: "/@shop/dump.json" })).statusCode).toBe(403);
  });

  test("a session ends after its time, and is then removed", async () => {
    const browser = await signedIn();
    const kept = await signedIn();
    await api.database.execute(
      "UPDATE console_sessions SET expires_at = now() WHERE id = (SELECT max(id) FROM console_sessions WHERE hash <> $1)",
      [await hashIn(kept.cookie)],
    );
    expect((await browser.ask("shop")).statusCode).toBe(401);
    expect(await removeExpiredSessions(api.database, () => false)).toBe(1);
    expect((await kept.ask("shop")).statusCode).toBe(200);
  });

  test("a session holds several tenants, and is signed out of one of them or of all", async () => {
    const second = await createTenant(api.database, { identifier: "second" });
    const third = await createTenant(api.database, { identifier: "third" });
    const browser = await signedIn();
    await browser.signIn("second", tokenOf(second));
    const added = await browser.signIn("third", tokenOf(third));
    const names = ({ tenants }: { tenants: { identifier: string }[] }) =>
      tenants.map(({ identifier }) => identifier);
    expect(names(added.json())).toEqual(["second", "shop", "third"]);
    const whole = browser.cookie;
    expect((await browser.send({ method: "DELETE", url: "/console/session/second" })).statusCode).toBe(204);
    expect((await browser.ask("second")).statusCode).toBe(401);
    expect(names((await browser.send({ url: "/console/session" })).json())).toEqual(["shop", "third"]);
    // Some clients name a type also for a body that they do not send.
    const headers = { "content-type": "application/json" };
    expect((await browser.send({ method: "DELETE", url: "/console/session", headers })).statusCode).toBe(204);
    expect(browser.cookie).toBeUndefined();
    browser.cookie = whole;
    for (const tenant of ["shop", "third"]) expect((await browser.ask(tenant)).statusCode).toBe(401);
  });

  test("a session planted in a browser is refused once that browser signs in to another tenant", async () => {
    const planters = await createTenant(api.database, { identifier: "planters" });
    const planter = openBrowser(api.server);
    await planter.signIn("planters", tokenOf(planters));
    const victim = openBrowser(api.server);
    victim.cookie = planter.cookie;
    await victim.signIn("shop", await newToken());
    for (const tenant of ["shop", "planters"]) {
      const answer = await planter.ask(tenant);
      expect([answer.statusCode, codeOf(answer)]).toEqual([401, "Unauthorized"]);
      expect((await victim.ask(tenant)).statusCode).toBe(200);
    }
  });

  test("a new sign-in to the same tenant renews the session as well", async () => {
    const token = await newToken();
    const browser = await signedIn(token);
    const copy = openBrowser(api.server);
    copy.cookie = browser.cookie;
    await browser.signIn("shop", token);
    expect((await copy.ask("shop")).statusCode).toBe(401);
    expect((await browser.ask("shop")).statusCode).toBe(200);
  });

  test("a request that another tab sent before the session was renewed does not sign its browser out", async () => {
    const browser = await signedIn();
    const tab = openBrowser(api.server);
    tab.cookie = browser.cookie;
    await browser.signIn("shop", await newToken());
    const late = await tab.send({ url: "/console/session" });
    expect([late.statusCode, late.headers["set-cookie"]]).toEqual([401, undefined]);
  });

  test("the session of a plain cookie, which other hosts may set, is not taken over by a browser that speaks HTTPS", async () => {
    const attacker = openBrowser(api.server);
    await attacker.signIn("shop", await newToken("reader"));
    const victim = openBrowser(api.server, { origin: "https://lading.example" });
    victim.cookie = attacker.cookie;
    await victim.signIn("shop", await newToken());
    expect(victim.cookie).toMatch(/^__Host-/);
    expect(victim.cookie?.split("=")[1]).not.toBe(attacker.cookie?.split("=")[1]);
    expect((await attacker.ask("shop")).statusCode).toBe(200);
  });

  test("sessions per token are limited: a further one ends the oldest, also when several are opened concurrently", async () => {
    const token = await newToken("admin", "many sessions");
    const first = await signedIn(token);
    const others = await Promise.all(
      Array.from({ length: consoleLimits.sessionsOfToken }, () =>
        openBrowser(api.server).signIn("shop", token),
      ),
    );
    expect(others.map(({ statusCode }) => statusCode)).toEqual(others.map(() => 200));
    expect((await first.ask("shop")).statusCode).toBe(401);
    const rows = await api.database.query("SELECT FROM console_sessions WHERE token_id = $1", [token.id]);
    expect(rows).toHaveLength(consoleLimits.sessionsOfToken);
  });

  test("the number of tenants in a session is limited", async () => {
    const browser = openBrowser(api.server);
    for (let i = 0; i < consoleLimits.tenantsOfSession; i++) {
      const tenant = await createTenant(api.database, { identifier: `one-of-${i}` });
      expect((await browser.signIn(`one-of-${i}`, tokenOf(tenant))).statusCode).toBe(200);
    }
    const refused = await browser.signIn("shop", await newToken());
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, "TooManyTenants"]);
    expect((await browser.ask("one-of-0")).statusCode).toBe(200);
  });

  test("a deleted tenant's sessions are gone with it", async () => {
    const gone = await createTenant(api.database, { identifier: "gone" });
    const browser = openBrowser(api.server);
    await browser.signIn("gone", tokenOf(gone));
    const { store, database } = api;
    const logger = { warn: () => {} } as never;
    await deleteTenant({ database, logger, deleteFiles: store.deleteAll }, "gone", operator);
    expect((await browser.ask("gone")).statusCode).toBe(404);
    expect(
      await database.query("SELECT FROM console_sessions WHERE tenant_id = $1", [gone.tenant.id]),
    ).toEqual([]);
  });

  test("opening and ending a session are in the audit trail, by the token", async () => {
    const token = await newToken("reader", "audited");
    const browser = await signedIn(token);
    await browser.send({ method: "DELETE", url: "/console/session" });
    const [ended, opened] = (await auditTrail(api)).filter(
      ({ accessTokenId }: { accessTokenId: string }) => accessTokenId === token.id,
    );
    const by = { tenantIdentifier: "shop", actor: "accessToken", accessTokenName: "audited" };
    expect(opened).toMatchObject({ ...by, action: "session.opened", details: { by: "token" } });
    expect(ended).toMatchObject({ ...by, action: "session.ended", subjectId: opened.subjectId });
  });

  test("the secret of a session is stored only as a hash", async () => {
    const browser = await signedIn();
    const [, secret = ""] = browser.cookie?.split("=") ?? [];
    expect(secret).toMatch(/^[\w-]{43}$/);
    const stored = await Promise.all(
      ["console_sessions", "audit_trail"].map((table) => api.database.query(`SELECT * FROM ${table}`)),
    );
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  test("the headers of a token win over the cookie, even when they are wrong or not complete", async () => {
    const browser = await signedIn(await newToken("admin"));
    const reader = await newToken("reader");
    const ask = (headers: Record<string, string>) =>
      browser.send({
        ...{ method: "POST", url: "/@shop", headers },
        payload: { query: "{ accessToken { id } }" },
      });
    expect((await ask(headersOf(reader))).json().data.accessToken.id).toBe(reader.id);
    // No page may send it: with a token that does not matter.
    const foreign = { ...headersOf(reader), "sec-fetch-site": "cross-site" };
    expect((await ask(foreign)).json().data.accessToken.id).toBe(reader.id);
    expect((await ask(headersOf({ ...reader, secret: "wrong" }))).statusCode).toBe(401);
    expect((await ask({ "x-service-access-token-id": reader.id })).statusCode).toBe(401);
  });
});

const hashIn = async (cookie: string | undefined): Promise<string> => {
  const { hashOfSession } = await import("../../../src/tenants/console-sessions.ts");
  return hashOfSession(cookie?.split("=")[1] ?? "");
};
