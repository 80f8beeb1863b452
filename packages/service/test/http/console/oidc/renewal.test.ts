import { describe, expect, test } from "vitest";
import { providerLimits } from "../../../../src/http/console/oidc/provider.ts";
import { createAccessToken } from "../../../../src/tenants/access-tokens.ts";
import { personLimits } from "../../../../src/tenants/persons.ts";
import { auditTrail } from "../../../tenants/operator-api.ts";
import { openPersonBrowser } from "./person.ts";
import { age, map, signInServices, unmap, useSignIn } from "./support.ts";

describe("the session of a person", () => {
  const held = useSignIn();
  const signedIn = async () => {
    const browser = openPersonBrowser(held.api.server, held.idp);
    expect((await browser.signIn()).statusCode).toBe(200);
    held.idp.asked.length = 0;
    return browser;
  };
  const renewals = () => held.idp.asked.filter((path) => path === "/token").length;
  const status = async (browser: Awaited<ReturnType<typeof signedIn>>) =>
    (await browser.ask("shop")).statusCode;
  const { validSeconds, renewAfterSeconds, graceSeconds } = personLimits;

  test("the provider is not asked within four minutes, and then without a wait", async () => {
    const browser = await signedIn();
    await age(held.api, renewAfterSeconds - 10);
    expect([await status(browser), renewals()]).toEqual([200, 0]);
    await age(held.api, 20);
    expect(await status(browser)).toBe(200);
    await expect.poll(renewals).toBe(1);
  });

  test("a person whose group was removed has no access after five minutes", async () => {
    const browser = await signedIn();
    held.idp.persons.set("ada", { name: "Ada Lovelace", groups: ["others"] });
    await age(held.api, validSeconds);
    expect(await status(browser)).toBe(401);
    expect((await auditTrail(held.api))[0]).toMatchObject({ action: "session.ended", actor: "person" });
  });

  test("a person has another role once their groups have", async () => {
    const browser = await signedIn();
    await map(held.api, "owners", "admin");
    held.idp.persons.set("ada", { name: "Ada King", groups: ["owners"] });
    await age(held.api, validSeconds);
    const answer = await browser.ask("shop", "{ accessToken { name role } }");
    expect(answer.json().data.accessToken).toEqual({ name: "Ada King", role: "admin" });
  });

  test("a group whose role is taken away loses access immediately", async () => {
    const browser = await signedIn();
    expect(await unmap(held.api, "planners")).toMatchObject({
      groupRole: { group: "planners", role: "planner" },
    });
    expect(await status(browser)).toBe(401);
    expect(await unmap(held.api, "planners")).toMatchObject({ errorName: "GroupNotMappedError" });
    await map(held.api, "planners", "planner");
    expect(await status(browser)).toBe(200);
  });

  test("a person whose session at the provider has ended has no access after five minutes", async () => {
    const browser = await signedIn();
    held.idp.endSessions();
    await age(held.api, validSeconds);
    expect(await status(browser)).toBe(401);
    const [ended] = await auditTrail(held.api);
    expect(ended).toMatchObject({ action: "session.ended", actor: "person" });
  });

  test("a renewal that names another person ends the session", async () => {
    const browser = await signedIn();
    const id_token = await held.idp.idToken({ sub: "mallory", groups: ["planners"] });
    held.idp.answers.set("/token", (_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ access_token: "a", token_type: "bearer", id_token }));
    });
    await age(held.api, validSeconds);
    expect(await status(browser)).toBe(401);
  });

  test("a rotated refresh token is used once, by one of several processes, and the others use the result", async () => {
    const browser = await signedIn();
    const { api, idp } = held;
    const others = [1, 2].map(() => {
      const server = api.another({ signIn: signInServices(api.database, idp.issuer) });
      const other = openPersonBrowser(server, idp);
      other.cookies = browser.cookies;
      return other;
    });
    for (let round = 1; round <= 2; round++) {
      await age(api, validSeconds);
      const all = [browser, ...others];
      const statuses = await Promise.all([...all, ...all].map(status));
      expect([statuses, renewals()]).toEqual([[200, 200, 200, 200, 200, 200], round]);
    }
  });

  test.each([
    [
      "answers with an error",
      (response: import("node:http").ServerResponse) => response.writeHead(503).end("down"),
    ],
    ["breaks off", (response: import("node:http").ServerResponse) => response.destroy()],
    [
      "answers with a page of its proxy",
      (response: import("node:http").ServerResponse) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>Maintenance</h1>");
      },
    ],
    [
      "answers without end",
      (response: import("node:http").ServerResponse) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(`"${"x".repeat(providerLimits.answerBytes)}"`);
      },
    ],
    [
      "does not accept the client's secret any more",
      (response: import("node:http").ServerResponse) => {
        response.writeHead(401, { "content-type": "application/json" }).end('{"error":"invalid_client"}');
      },
    ],
  ])("a session lasts for a grace when the provider %s, and no longer", async (_what, answer) => {
    const browser = await signedIn();
    held.idp.answers.set("/token", (_request, response) => void answer(response));
    await age(held.api, validSeconds);
    expect(await status(browser)).toBe(200);
    await age(held.api, graceSeconds);
    expect(await status(browser)).toBe(401);
    held.idp.answers.clear();
    await age(held.api, 0);
    expect(await status(browser)).toBe(200);
  });

  test("an unreachable provider is asked once in a while, and not by each request", async () => {
    const browser = await signedIn();
    held.idp.answers.set("/token", (_request, response) => void response.destroy());
    await age(held.api, validSeconds);
    for (let i = 0; i < 5; i++) expect(await status(browser)).toBe(200);
    expect(renewals()).toBe(1);
  });

  test("when the provider is back after the grace, all requests wait for it", async () => {
    const browser = await signedIn();
    held.idp.answers.set("/token", (_request, response) => void response.destroy());
    await age(held.api, validSeconds);
    expect(await status(browser)).toBe(200);
    held.idp.answers.clear();
    await age(held.api, graceSeconds);
    expect(await Promise.all(Array.from({ length: 5 }, () => status(browser)))).toEqual(Array(5).fill(200));
  });

  test("when the provider is still away after the grace, only the request that asks it waits", async () => {
    const browser = await signedIn();
    held.idp.answers.set("/token", (_request, response) => void response.destroy());
    await age(held.api, validSeconds + graceSeconds);
    const began = performance.now();
    for (let i = 0; i < 3; i++) expect(await status(browser)).toBe(401);
    expect([renewals(), performance.now() - began < 1_000]).toEqual([1, true]);
  });

  test("without a refresh token a session lasts five minutes, and a silent sign-in renews it", async () => {
    held.idp.issuesRefreshTokens = false;
    const browser = await signedIn();
    const before = await auditTrail(held.api);
    expect(await browser.signIn("?silent&then=/@shop/tasks")).toMatchObject({ statusCode: 200 });
    expect(await status(browser)).toBe(200);
    expect(await auditTrail(held.api)).toHaveLength(before.length);
    await held.api.database.execute("UPDATE person_sessions SET expires_at = now()");
    expect(await status(browser)).toBe(401);
  });

  test("the session of another issuer counts no more", async () => {
    const browser = await signedIn();
    await held.api.database.execute("UPDATE person_sessions SET issuer = 'https://elsewhere.example'");
    expect(await status(browser)).toBe(401);
  });

  test("what another signing key encrypted ends the session at the next renewal", async () => {
    const browser = await signedIn();
    await held.api.database.execute("UPDATE person_sessions SET key_id = 'another'");
    await age(held.api, validSeconds);
    expect(await status(browser)).toBe(401);
  });

  test("a token that is added to a person's session opens its tenant, and the person keeps theirs", async () => {
    const browser = await signedIn();
    const { accessTokenId, accessTokenSecret } = held.api.shop;
    const payload = { tenant: "shop", accessTokenId, accessTokenSecret };
    await browser.send({ method: "POST", url: "/console/session", payload });
    expect((await browser.ask("shop", "{ accessToken { role } }")).json().data.accessToken.role).toBe(
      "admin",
    );
    await browser.send({ method: "DELETE", url: "/console/session/shop" });
    expect((await browser.ask("shop", "{ accessToken { role } }")).json().data.accessToken.role).toBe(
      "planner",
    );
  });

  test("once a token that was added to a person's session has expired, the person has their own role", async () => {
    const browser = await signedIn();
    const { tenant } = held.api.shop;
    const token = await createAccessToken(held.api.database, tenant.id, { name: "reads", role: "reader" });
    const payload = { tenant: "shop", accessTokenId: token.id, accessTokenSecret: token.secret };
    await browser.send({ method: "POST", url: "/console/session", payload });
    await held.api.database.execute("UPDATE access_tokens SET expires_at = now() WHERE id = $1", [token.id]);
    expect((await browser.send({ url: "/console/session" })).json().tenants).toMatchObject([
      { identifier: "shop", role: "planner" },
    ]);
    const answer = await browser.ask("shop", "{ accessToken { role } }");
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: { accessToken: { role: "planner" } } }]);
  });

  test("a person beginning the most sessions ends the oldest", async () => {
    const browsers = Array.from({ length: personLimits.sessionsOfPerson + 1 }, () =>
      openPersonBrowser(held.api.server, held.idp),
    );
    for (const browser of browsers) await browser.signIn();
    expect((await browsers[0]!.ask("shop")).statusCode).toBe(401);
    expect((await browsers[1]!.ask("shop")).statusCode).toBe(200);
  });

  test("the sign-in page learns the provider's name, and that it is unreachable", async () => {
    const browser = openPersonBrowser(held.api.server, held.idp);
    const name = new URL(held.idp.issuer).host;
    expect((await browser.send({ url: "/console/oidc" })).json()).toEqual({
      provider: { name, isAway: false },
    });
    const { api, idp } = held;
    const away = openPersonBrowser(
      api.another({ signIn: signInServices(api.database, "http://127.0.0.1:9") }),
      idp,
    );
    expect((await away.send({ url: "/console/oidc" })).json()).toEqual({
      provider: { name: "127.0.0.1:9", isAway: true },
    });
    const answer = await away.send({ url: "/console/oidc/sign-in" });
    expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining("could not be reached")]);
    const without = openPersonBrowser(api.another({}), idp);
    expect((await without.send({ url: "/console/oidc" })).json()).toEqual({ provider: null });
    expect((await without.ask("shop")).statusCode).toBe(401);
  });

  test("a provider that calls itself otherwise is named in a sentence", async () => {
    const { port } = new URL(held.idp.issuer);
    const { provider } = signInServices(held.api.database, `http://localhost:${port}`);
    expect(await provider.problem()).toMatch(
      /^http:\/\/localhost:\d+ cannot be used as an OpenID Connect provider: /,
    );
  });

  test("a group has a name that can be stored, and a known tenant", async () => {
    for (const group of ["", " ", "x".repeat(257), "a\0"])
      expect(await map(held.api, group, "reader")).toMatchObject({ errorName: "ValidationError" });
    expect(await map(held.api, "planners", "reader", "nowhere")).toMatchObject({
      errorName: "TenantNotFoundError",
    });
    const [mapped] = await auditTrail(held.api, { action: "group.mapped" });
    expect(mapped).toMatchObject({
      actor: "operator",
      tenantIdentifier: "shop",
      details: { role: "planner" },
    });
  });
});
