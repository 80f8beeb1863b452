import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { SignJWT } from "jose";
import { pino } from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import { clientSecret } from "../../../../../../test/support/servers/identity-provider.ts";
import { openProvider, providerLimits } from "../../../../src/http/console/oidc/provider.ts";
import { personLimits } from "../../../../src/tenants/persons.ts";
import { openPersonBrowser } from "./person.ts";
import { age, map, signInServices, unmap, useSignIn } from "./support.ts";

const discovery = "/.well-known/openid-configuration";

const json = (response: ServerResponse, body: unknown, status = 200) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

describe("a provider that fails or lies", () => {
  const held = useSignIn();
  const usual = [{ ...providerLimits }, { ...personLimits }] as const;
  afterEach(() => {
    Object.assign(providerLimits, usual[0]);
    Object.assign(personLimits, usual[1]);
  });

  /** A browser at a process that knows nothing of the provider yet, and its log. */
  const open = (keys?: [string, string?]) => {
    const { api, idp } = held;
    const lines: string[] = [];
    const logger = pino(
      { level: "trace" },
      new PassThrough().on("data", (line) => lines.push(`${line}`)),
    );
    const signIn = signInServices(api.database, idp.issuer, { logger, ...(keys && { keys }) });
    const browser = openPersonBrowser(api.another({ signIn, logger }), idp);
    return Object.assign(browser, { lines, provider: signIn.provider });
  };
  const status = async (browser: ReturnType<typeof open>) => (await browser.ask("shop")).statusCode;
  const { validSeconds } = personLimits;

  test("keys that were rotated between sign-ins and renewals work immediately", async () => {
    const browser = open();
    expect((await browser.signIn()).statusCode).toBe(200);
    await held.idp.rotateKey();
    await age(held.api, validSeconds);
    expect(await status(browser)).toBe(200);
    expect((await browser.signIn()).statusCode).toBe(200);
  });

  test.each([
    [
      "that nobody signed",
      (claims: Record<string, unknown>) =>
        `${[{ alg: "none" }, claims]
          .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
          .join(".")}.`,
    ],
    [
      "that the client's secret signed",
      (claims: Record<string, unknown>) =>
        new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(clientSecret)),
    ],
  ])("an ID token %s signs nobody in, whatever the provider says that it supports", async (_what, sign) => {
    const { idp } = held;
    const metadata = await (await fetch(idp.issuer + discovery)).json();
    idp.answers.set(discovery, (_request, response) =>
      json(response, { ...metadata, id_token_signing_alg_values_supported: ["none", "HS256", "RS256"] }),
    );
    const browser = open();
    const url = await browser.begin();
    const back = await idp.visit(url);
    const iat = Math.floor(Date.now() / 1_000);
    const nonce = new URL(url).searchParams.get("nonce");
    const claims = {
      iss: idp.issuer,
      aud: "lading",
      sub: "ada",
      groups: ["planners"],
      nonce,
      iat,
      exp: iat + 300,
    };
    const id_token = await sign(claims);
    idp.answers.set("/token", (_request, response) =>
      json(response, { access_token: "a", token_type: "bearer", id_token }),
    );
    expect([(await browser.arrive(back)).statusCode, browser.session()]).toEqual([401, undefined]);
  });

  test("groups that UserInfo says of somebody else count for nobody", async () => {
    const { idp } = held;
    const browser = open();
    const url = await browser.begin();
    const back = await idp.visit(url);
    const id_token = await idp.idToken({ sub: "ada", nonce: new URL(url).searchParams.get("nonce") });
    idp.answers.set("/token", (_request, response) =>
      json(response, { access_token: "a", token_type: "bearer", id_token }),
    );
    idp.answers.set("/me", (_request, response) => json(response, { sub: "root", groups: ["planners"] }));
    expect([(await browser.arrive(back)).statusCode, browser.session()]).toEqual([401, undefined]);
    expect(idp.asked).toContain("/me");
  });

  test.each([
    [
      "names another issuer",
      (response: ServerResponse) => json(response, { issuer: "https://evil.example" }),
      "its issuer is https://evil.example",
    ],
    [
      "has 10 MB",
      (response: ServerResponse) =>
        json(response, { issuer: held.idp.issuer, padding: "x".repeat(10_000_000) }),
      "larger than 1048576 bytes",
    ],
    [
      "leads elsewhere",
      (response: ServerResponse) => void response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
      "status",
    ],
    ["is a page", (response: ServerResponse) => void response.end("<h1>Hello</h1>"), "content-type"],
    ["never comes", () => {}, "timed out"],
  ])(
    "a configuration that %s is a provider that could not be reached, and the log says why",
    async (_what, answer, why) => {
      if (why === "timed out") Object.assign(providerLimits, { requestMs: 300 });
      held.idp.answers.set(discovery, (_request, response) => answer(response));
      const browser = open();
      const page = await browser.send({ url: "/console/oidc/sign-in" });
      expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining("could not be reached")]);
      expect(browser.lines.join("")).toContain(why);
      expect(await browser.provider.problem()).toContain(why);
    },
  );

  test("an issuer of Entra ID that stands for every organisation cannot be used", async () => {
    const oidcIssuer = "https://login.microsoftonline.com/common/v2.0";
    const metadata = { issuer: "https://login.microsoftonline.com/{tenantid}/v2.0" };
    vi.stubGlobal("fetch", async () => Response.json(metadata));
    const provider = openProvider({ oidcIssuer, oidcClientId: "lading", oidcClientSecret: clientSecret });
    const problem = await provider?.problem().finally(() => vi.unstubAllGlobals());
    expect(problem).toContain("its issuer is https://login.microsoftonline.com/{tenantid}/v2.0");
  });

  test.each([
    [
      "an error of its own",
      (response: ServerResponse) => json(response, { error: "server_error" }, 500),
      "status code: 500",
    ],
    ["no answer", (response: ServerResponse) => void response.destroy(), "fetch failed"],
    ["silence", () => {}, "timed out"],
    [
      "a refusal of this service",
      (response: ServerResponse) =>
        json(response, { error: "invalid_client", error_description: "unknown client" }, 401),
      "invalid_client: unknown client",
    ],
  ])(
    "for %s to a code or a refresh token, the person reads that it could not be reached, and the log says why",
    async (_what, answer, why) => {
      Object.assign(providerLimits, { requestMs: 300 });
      const [browser, signedIn] = [open(), open()];
      await signedIn.signIn();
      const back = await held.idp.visit(await browser.begin());
      held.idp.answers.set("/token", (_request, response) => answer(response));
      const page = await browser.arrive(back);
      expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining("could not be reached")]);
      expect(browser.lines.join("")).toContain(why);
      await age(held.api, validSeconds);
      expect(await status(signedIn)).toBe(200);
      expect(signedIn.lines.join("")).toContain(why);
    },
  );

  test.each([
    ["UserInfo fails", "/me", (response: ServerResponse) => json(response, {}, 503)],
    ["UserInfo is silent", "/me", () => {}],
    ["its keys cannot be read", "/jwks", (response: ServerResponse) => json(response, {}, 503)],
  ])(
    "a session outlives a renewal in which %s after the refresh token was rotated",
    async (_what, path, answer) => {
      Object.assign(providerLimits, { requestMs: 300 });
      const { api, idp } = held;
      const browser = open();
      await browser.signIn();
      // Without groups in the ID token, UserInfo is asked for them.
      idp.persons.set("ada", { name: "Ada Lovelace" });
      idp.answers.set("/me", (_request, response) => json(response, { sub: "ada", groups: ["planners"] }));
      idp.answers.set(path, (_request, response) => answer(response));
      idp.asked.length = 0;
      await age(api, validSeconds);
      expect([await status(browser), idp.asked]).toEqual([200, expect.arrayContaining(["/token", path])]);
      idp.answers.set("/me", (_request, response) => json(response, { sub: "ada", groups: ["planners"] }));
      idp.answers.delete("/jwks");
      await api.database.execute("UPDATE person_sessions SET renewing_until = NULL");
      await age(api, personLimits.graceSeconds);
      expect(await status(browser)).toBe(200);
    },
  );

  test("a silent provider keeps all requests of a session waiting for its time limit alone, and then none", async () => {
    const requestMs = 1_500;
    Object.assign(providerLimits, { requestMs });
    Object.assign(personLimits, { waitMs: 200 });
    const browser = open();
    await browser.signIn();
    let silent = 0;
    held.idp.answers.set("/token", (_request, response) => {
      silent++;
      response.on("close", () => silent--);
    });
    await age(held.api, validSeconds);
    const began = performance.now();
    const waiting = Promise.all(Array.from({ length: 20 }, () => status(browser)));
    const first = await Promise.race([waiting, held.api.ask("{ tenant { identifier } }")]);
    expect(first).toMatchObject({ status: 200 });
    expect(new Set(await waiting)).toEqual(new Set([200]));
    expect(performance.now() - began).toBeLessThan(2 * requestMs);
    // A renewal that begins in the grace is not waited for: the provider is still silent after the answer.
    await expect.poll(() => silent).toBe(0);
    await held.api.database.execute("UPDATE person_sessions SET renewing_until = NULL");
    expect(await status(browser)).toBe(200);
    await expect.poll(() => silent).toBe(1);
  });

  test("a person who has no role now signs out nevertheless, and a role given later opens nothing", async () => {
    const browser = open();
    await browser.signIn();
    const cookies = new Map(browser.cookies);
    await unmap(held.api, "planners");
    expect((await browser.send({ method: "DELETE", url: "/console/session" })).statusCode).toBe(200);
    await map(held.api, "planners", "planner");
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(await status(browser)).toBe(401);
  });

  test("a session outlives a rotation of the signing key that accepts the old one, which it then needs no more", async () => {
    const before = open(["the old key"]);
    await before.signIn();
    const begun = await before.begin();
    const during = open(["the new key", "the old key"]);
    during.cookies = before.cookies;
    await age(held.api, validSeconds);
    expect(await status(during)).toBe(200);
    expect((await during.arrive(await held.idp.visit(begun))).statusCode).toBe(200);
    const after = open(["the new key"]);
    after.cookies = during.cookies;
    await age(held.api, validSeconds);
    expect(await status(after)).toBe(200);
    await age(held.api, validSeconds);
    const without = open(["another key"]);
    without.cookies = during.cookies;
    expect(await status(without)).toBe(401);
    expect(without.lines.join("")).toContain("a signing key that this process does not have");
  });

  test("the log has neither codes nor tokens nor secrets of a sign-in", async () => {
    const { idp } = held;
    const browser = open();
    const url = new URL(await browser.begin());
    const back = await idp.visit(url.href);
    const secrets = [url, back].flatMap(({ searchParams }) =>
      ["state", "nonce", "code", "code_challenge"].flatMap((name) => searchParams.get(name) ?? []),
    );
    secrets.push(clientSecret, ...browser.cookies.values());
    await browser.arrive(back);
    secrets.push(browser.session() ?? "");
    idp.answers.set("/token", (_request, response) => json(response, { error: "server_error" }, 500));
    await age(held.api, validSeconds);
    await status(browser);
    await browser.arrive(back);
    const log = browser.lines.join("");
    expect(log).toContain("status code: 500");
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });
});
