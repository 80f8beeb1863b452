import { describe, expect, test } from "vitest";
import { createAccessToken, revokeAccessToken } from "../../../src/tenants/access-tokens.ts";
import { operator } from "../../../src/tenants/audit.ts";
import { consoleLimits, removeExpiredSessions } from "../../../src/tenants/console-sessions.ts";
import { createTenant } from "../../../src/tenants/create.ts";
import { auditTrail } from "../../tenants/operator-api.ts";
import { headersOf, operatorToken, useApi } from "../support.ts";
import { openBrowser, tokenOf } from "./browser.ts";

describe("a one-time code", () => {
  const api = useApi({ rateLimit: 0, publicUrl: () => "https://shop.example/" });

  const newToken = (role: "admin" | "reader" = "reader") =>
    createAccessToken(api.database, api.shop.tenant.id, { name: "terminal", role });
  const make = (headers: Record<string, string>, tenant = "shop") =>
    api.server.inject({ method: "POST", url: `/@${tenant}/console-code`, headers });
  const codeFor = async (token: { id: string; secret: string }): Promise<string> => {
    const answer = await make(headersOf(token));
    expect(answer.statusCode).toBe(201);
    return answer.json().code;
  };
  const use = (code: unknown, browser = openBrowser(api.server), tenant: unknown = "shop") =>
    browser.send({ method: "POST", url: "/console/session", payload: { tenant, code } as object });

  test("is made by an access token of the tenant alone: not by the operator, a stranger or a session", async () => {
    const other = await createTenant(api.database, { identifier: "other" });
    expect((await make({})).statusCode).toBe(401);
    expect((await make({ authorization: `Bearer ${operatorToken}` })).statusCode).toBe(401);
    expect((await make(headersOf(tokenOf(other)))).statusCode).toBe(401);
    const browser = openBrowser(api.server);
    await browser.signIn("shop", await newToken("admin"));
    const refused = await browser.send({ method: "POST", url: "/@shop/console-code" });
    expect([refused.statusCode, refused.json().errors[0].extensions.code]).toEqual([
      403,
      "UnauthorizedError",
    ]);
  });

  test("stands in the fragment of the console's address, and opens a session for the token that made it", async () => {
    const token = await newToken();
    const { code, url, expiresAt } = (await make(headersOf(token))).json();
    expect(url).toBe(`https://shop.example/console/#tenant=shop&code=${code}`);
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1_000;
    expect(Math.abs(seconds - consoleLimits.codeSeconds)).toBeLessThan(10);
    const browser = openBrowser(api.server);
    expect((await use(code, browser)).json().tenants).toMatchObject([{ identifier: "shop", role: "reader" }]);
    expect((await browser.ask("shop", "{ accessToken { id } }")).json().data.accessToken.id).toBe(token.id);
    const opened = (await auditTrail(api)).find(
      ({ accessTokenId }: { accessTokenId: string }) => accessTokenId === token.id,
    );
    expect(opened).toMatchObject({ action: "session.opened", details: { by: "code" } });
  });

  test("works once, also when several try at the same moment", async () => {
    const code = await codeFor(await newToken());
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => use(code)))).map(
      (answer) => answer.statusCode,
    );
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
    expect((await use(code)).statusCode).toBe(401);
  });

  test("is good for its own tenant alone, whose name the page has shown, and not used up by another one", async () => {
    const code = await codeFor(await newToken());
    await createTenant(api.database, { identifier: "another" });
    for (const tenant of ["another", "nowhere"])
      expect((await use(code, openBrowser(api.server), tenant)).statusCode).toBe(401);
    for (const tenant of [null, "", 1, "a\0"])
      expect((await use(code, openBrowser(api.server), tenant)).statusCode).toBe(400);
    expect((await use(code)).statusCode).toBe(200);
  });

  test("is good for a minute, and is then removed", async () => {
    const code = await codeFor(await newToken());
    await api.database.execute("UPDATE console_codes SET expires_at = now()");
    expect((await use(code)).statusCode).toBe(401);
    expect(await removeExpiredSessions(api.database, () => false)).toBeGreaterThan(0);
    expect(await api.database.query("SELECT FROM console_codes")).toEqual([]);
  });

  test("is worth nothing once its token is revoked or has expired", async () => {
    const [revoked, expired] = [await newToken(), await newToken()];
    const codes = [await codeFor(revoked), await codeFor(expired)];
    await revokeAccessToken(api.database, api.shop.tenant, revoked.id, operator);
    await api.database.execute("UPDATE access_tokens SET expires_at = now() WHERE id = $1", [expired.id]);
    for (const code of codes) expect((await use(code)).statusCode).toBe(401);
  });

  test("is one of a limited number per token; a further one replaces the oldest", async () => {
    const token = await newToken();
    const codes: string[] = [];
    for (let i = 0; i <= consoleLimits.codesOfToken; i++) codes.push(await codeFor(token));
    expect((await use(codes[0])).statusCode).toBe(401);
    expect((await use(codes[1])).statusCode).toBe(200);
  });

  test("is stored only as a hash, and is a text on its own", async () => {
    const token = await newToken();
    const code = await codeFor(token);
    expect(JSON.stringify(await api.database.query("SELECT * FROM console_codes"))).not.toContain(code);
    for (const wrong of [1, "", "a\0", null, { code }]) expect((await use(wrong)).statusCode).toBe(400);
    const both = { code, tenant: "shop", accessTokenId: token.id, accessTokenSecret: token.secret };
    const answer = await openBrowser(api.server).send({
      method: "POST",
      url: "/console/session",
      payload: both,
    });
    expect(answer.statusCode).toBe(400);
    expect((await use(code)).statusCode).toBe(200);
  });
});
