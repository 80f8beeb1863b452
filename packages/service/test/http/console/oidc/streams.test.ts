import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/storage/database.ts";
import { createAccessToken, revokeAccessToken } from "../../../../src/tenants/access-tokens.ts";
import { operator } from "../../../../src/tenants/audit.ts";
import { personLimits } from "../../../../src/tenants/persons.ts";
import { headersOf } from "../../support.ts";
import { openPersonBrowser, type PersonBrowser } from "./person.ts";
import { age, map, signInServices, unmap, useSignIn } from "./support.ts";

describe("an open stream of a person", () => {
  const held = useSignIn();
  let url: string;
  let browser: PersonBrowser;

  beforeEach(async () => {
    const { api, idp } = held;
    const server = api.another({ signIn: signInServices(api.database, idp.issuer), tokenCheck: 50 });
    await server.listen({ port: 0, host: "127.0.0.1" });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    await map(api, "planners", "planner");
    browser = openPersonBrowser(server, idp);
    await browser.signIn();
    return () => server.close();
  });

  const open = async (headers?: Record<string, string>) => {
    const { id } = await held.api.task();
    const cookie = `lading-session-${new URL(url).port}=${browser.session()}`;
    const response = await fetch(`${url}/@shop/tasks/${id}/events`, {
      headers: headers ?? { cookie, origin: url },
    });
    expect(response.status).toBe(200);
    return response;
  };

  test.each([
    ["their group loses its role", () => unmap(held.api, "planners")],
    ["their role becomes a lesser one", () => map(held.api, "planners", "reader")],
    ["they sign out", () => browser.send({ method: "DELETE", url: "/console/session" })],
    [
      "their session expires",
      () => held.api.database.execute("UPDATE person_sessions SET expires_at = now()"),
    ],
    [
      "the provider has ended their session",
      () => {
        held.idp.endSessions();
        return age(held.api, personLimits.validSeconds);
      },
    ],
    [
      "they leave the group",
      () => {
        held.idp.persons.set("ada", { name: "Ada Lovelace", groups: [] });
        return age(held.api, personLimits.validSeconds);
      },
    ],
  ])("ends when %s", async (_what, act) => {
    const stream = await open();
    await act();
    expect(await stream.text()).toMatch(/event: closed\ndata: \{"code":"Unauthorized"/);
  });

  test("continues when their role becomes a greater one, and while the provider renews the session", async () => {
    const reader = (await open()).body!.getReader();
    await map(held.api, "planners", "admin");
    await age(held.api, personLimits.validSeconds);
    await expect.poll(() => held.idp.asked.filter((path) => path === "/token").length).toBe(2);
    expect(new TextDecoder().decode((await reader.read()).value)).not.toContain("closed");
    await reader.cancel();
  });

  test("costs no query of its own: one finds the roles of all sessions", async () => {
    const { api, idp } = held;
    let queries = 0;
    const query: Database["query"] = (sql, parameters) => {
      queries++;
      return api.database.query(sql, parameters);
    };
    const signIn = signInServices({ ...api.database, query }, idp.issuer);
    const server = api.another({ signIn, tokenCheck: 50 });
    await server.listen({ port: 0, host: "127.0.0.1" });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const streams = [];
    for (let i = 0; i < 4; i++) {
      browser = openPersonBrowser(server, idp);
      await browser.signIn();
      streams.push(await open());
    }
    queries = 0;
    const began = performance.now();
    await expect.poll(() => queries).toBeGreaterThan(3);
    expect(queries).toBeLessThanOrEqual((performance.now() - began) / 50 + 1);
    await Promise.all(streams.map(({ body }) => body?.cancel()));
    await server.close();
  });

  test("does not delay the end of a revoked token's stream while the provider is silent", async () => {
    const { api, idp } = held;
    const token = await createAccessToken(api.database, api.shop.tenant.id, {
      name: "reads",
      role: "reader",
    });
    const [ofPerson, ofToken] = [await open(), await open(headersOf(token))];
    idp.answers.set("/token", () => {});
    idp.asked.length = 0;
    await age(api, personLimits.validSeconds);
    await expect.poll(() => idp.asked).toContain("/token");
    await revokeAccessToken(api.database, api.shop.tenant, token.id, operator);
    const began = performance.now();
    expect(await ofToken.text()).toContain("was revoked");
    expect(performance.now() - began).toBeLessThan(1_500);
    await ofPerson.body?.cancel();
  });
});
