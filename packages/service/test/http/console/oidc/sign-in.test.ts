import { describe, expect, test } from "vitest";
import { personId, personLimits } from "../../../../src/tenants/persons.ts";
import { auditTrail } from "../../../tenants/operator-api.ts";
import { openPersonBrowser } from "./person.ts";
import { map, signInServices, useSignIn } from "./support.ts";

describe("signing in as a person", () => {
  const held = useSignIn();
  const open = () => openPersonBrowser(held.api.server, held.idp);

  /** Signs in with the ID token that a function makes of the nonce. */
  const signInWith = async (
    claimsOf: (nonce: string) => Record<string, unknown>,
    key?: "published" | "other",
  ) => {
    const browser = open();
    const url = await browser.begin();
    const back = await held.idp.visit(url);
    const nonce = new URL(url).searchParams.get("nonce") ?? "";
    const id_token = await held.idp.idToken(
      { sub: "ada", groups: ["planners"], nonce, ...claimsOf(nonce) },
      key,
    );
    held.idp.answers.set("/token", (_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ access_token: "a", token_type: "bearer", id_token }));
    });
    return { answer: await browser.arrive(back), browser };
  };

  const now = () => Math.floor(Date.now() / 1_000);

  test.each([
    ["of another issuer", () => ({ iss: "https://elsewhere.example" })],
    ["for another client", () => ({ aud: "another" })],
    [
      "for several clients, of which another one is authorized",
      () => ({ aud: ["lading", "another"], azp: "another" }),
    ],
    ["with another nonce", () => ({ nonce: "another" })],
    ["without a nonce", () => ({ nonce: undefined })],
    ["that has expired", () => ({ exp: now() - 60, iat: now() - 400 })],
    ["issued in the future", () => ({ iat: now() + 3_600, exp: now() + 7_200, nbf: now() + 3_600 })],
    ["without a subject", () => ({ sub: undefined })],
    ["with an empty subject", () => ({ sub: "" })],
    ["with a subject that cannot be stored", () => ({ sub: "a\0b" })],
    ["with a subject that is too long", () => ({ sub: "x".repeat(256) })],
    ["with groups that are numbers", () => ({ groups: [1, 2] })],
    ["with groups that are an object", () => ({ groups: { planners: true } })],
    ["with too many groups", () => ({ groups: Array.from({ length: 10_001 }, (_, i) => `g${i}`) })],
    ["with groups that are elsewhere", () => ({ groups: undefined, _claim_names: { groups: "src1" } })],
  ])("an ID token %s signs nobody in", async (_what, claims) => {
    const { answer, browser } = await signInWith(claims as () => Record<string, unknown>);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([401, "text/html; charset=utf-8"]);
    expect(browser.session()).toBeUndefined();
  });

  test("an ID token that another key signed signs nobody in", async () => {
    const { answer, browser } = await signInWith(() => ({}), "other");
    expect([answer.statusCode, browser.session()]).toEqual([401, undefined]);
  });

  test("a clock that is half a minute off signs in nevertheless", async () => {
    const { answer, browser } = await signInWith(() => ({ exp: now() - 20, iat: now() - 320 }));
    expect([answer.statusCode, browser.session()]).toEqual([200, expect.any(String)]);
  });

  test("10,000 groups, a subject with odd characters and a hostile name sign in", async () => {
    const sub = "ünï/%00 <b>'\";--\u202e";
    const groups = [...Array.from({ length: 9_999 }, (_, i) => `group ${i}`), "planners"];
    const { browser } = await signInWith(() => ({ sub, groups, name: `\u202e<b>\u0000${"n".repeat(500)}` }));
    expect((await browser.ask("shop", "{ accessToken { id name role } }")).json().data.accessToken).toEqual({
      id: personId(held.idp.issuer, sub),
      name: `<b>${"n".repeat(125)}`,
      role: "planner",
    });
    expect(
      await held.api.database.query("SELECT groups FROM person_sessions WHERE subject = $1", [sub]),
    ).toEqual([{ groups: ["planners"] }]);
  });

  test("a person without a name is shown by their subject, without its characters that hide or turn round others", async () => {
    for (const [sub, name] of [
      ["\u202eada\n\u001b[2J", "ada[2J"],
      ["\u202e", "?"],
    ]) {
      const { browser } = await signInWith(() => ({ sub, name: undefined }));
      const { accessToken } = (await browser.ask("shop", "{ accessToken { name } }")).json().data;
      expect(accessToken).toEqual({ name });
    }
  });

  test("a person has the greatest role of their groups, in the tenants of the groups alone", async () => {
    await map(held.api, "everybody", "reader");
    held.idp.persons.set("ada", { name: "Ada Lovelace", groups: ["everybody", "planners"] });
    const browser = open();
    expect((await browser.signIn()).statusCode).toBe(200);
    expect((await browser.ask("shop", "{ accessToken { name role } }")).json().data.accessToken).toEqual({
      ...{ name: "Ada Lovelace", role: "planner" },
    });
    expect((await browser.send({ url: "/console/session" })).json().tenants).toEqual([
      {
        identifier: "shop",
        name: "The shop",
        role: "planner",
        personName: "Ada Lovelace",
        expiresAt: expect.any(String),
      },
    ]);
    expect((await browser.send({ url: "/@shop/dump.json" })).statusCode).toBe(403);
    expect((await browser.ask("nowhere")).statusCode).toBe(404);
  });

  test("the provider is asked with PKCE, state and nonce, and refuses a code without the verifier", async () => {
    const url = new URL(await open().begin());
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ code_challenge_method: "S256", code_challenge: expect.any(String), response_type: "code" },
      ...{ state: expect.stringMatching(/^[\w-]{43}$/), nonce: expect.stringMatching(/^[\w-]{43}$/) },
    });
    const back = await held.idp.visit(url.href);
    const response = await fetch(`${held.idp.issuer}/token`, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa("lading:a+secret+of+the+client+with+at+least+32+characters")}`,
      },
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", code: back.searchParams.get("code") ?? "" },
        redirect_uri: "http://localhost/console/oidc/callback",
      }),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  });

  test("a callback in a browser that has not begun the sign-in is refused: nobody is signed in as somebody else", async () => {
    const back = await held.idp.visit(await open().begin());
    const victim = open();
    const answer = await victim.arrive(back);
    expect([answer.statusCode, victim.session()]).toEqual([401, undefined]);
    expect(answer.body).toContain("This browser has not begun this sign-in");
    // Nor with a sign-in of the victim's own that is under way.
    await victim.begin();
    expect((await victim.arrive(back)).statusCode).toBe(401);
  });

  test("a wrong state, a repeated one and an altered cookie are refused", async () => {
    const browser = open();
    const back = await held.idp.visit(await browser.begin());
    const [name = "", value = ""] = [...browser.cookies][0] ?? [];
    expect(browser.set[0]).toMatch(/^lading-sign-in-80-.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const altered = new URL(back);
    altered.searchParams.set("state", "x".repeat(43));
    expect((await browser.arrive(altered)).statusCode).toBe(401);
    altered.searchParams.delete("state");
    expect((await browser.arrive(altered)).statusCode).toBe(401);
    browser.cookies.set(name, `${value.slice(0, -2)}AA`);
    expect((await browser.arrive(back)).statusCode).toBe(401);
    expect(browser.session()).toBeUndefined();
  });

  test("a callback that is replayed with its cookie is refused, also when the provider would take it", async () => {
    const browser = open();
    const back = await held.idp.visit(await browser.begin());
    const cookies = new Map(browser.cookies);
    expect((await browser.arrive(back)).statusCode).toBe(200);
    const copy = open();
    copy.cookies = cookies;
    const answer = await copy.arrive(back);
    expect([answer.statusCode, copy.session()]).toEqual([401, undefined]);
    expect(answer.body).toContain("was used already");
  });

  test("a code of another sign-in is refused by its PKCE challenge", async () => {
    const stolen = await held.idp.visit(await open().begin());
    const browser = open();
    const back = await held.idp.visit(await browser.begin());
    back.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    const answer = await browser.arrive(back);
    expect([answer.statusCode, browser.session()]).toEqual([401, undefined]);
    expect(answer.body).toContain("invalid_grant");
  });

  test("a sign-in that takes longer than ten minutes is refused", async () => {
    const browser = open();
    const back = await held.idp.visit(await browser.begin());
    const real = Date.now;
    Date.now = () => real() + personLimits.signInMinutes * 60_000 + 1;
    try {
      expect((await browser.arrive(back)).statusCode).toBe(401);
    } finally {
      Date.now = real;
    }
  });

  test("two tabs sign in concurrently, each with its own cookie", async () => {
    const browser = open();
    const urls = [await browser.begin("?then=/@shop/tasks"), await browser.begin("?then=/@shop/browse")];
    const backs = await Promise.all(urls.map((url) => held.idp.visit(url)));
    const answers = [await browser.arrive(backs[1]!), await browser.arrive(backs[0]!)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(answers[0]?.body).toContain('content="0;url=/console/@shop/browse"');
    expect(answers[1]?.body).toContain('content="0;url=/console/@shop/tasks"');
    expect((await browser.ask("shop")).statusCode).toBe(200);
  });

  test("each sign-in makes a new session, and ends the one that the browser had", async () => {
    const browser = open();
    const { accessTokenId, accessTokenSecret } = held.api.shop;
    const payload = { tenant: "shop", accessTokenId, accessTokenSecret };
    await browser.send({ method: "POST", url: "/console/session", payload });
    const planted = browser.session() ?? "";
    await browser.signIn();
    const attacker = open();
    attacker.cookies.set("lading-session-80", planted);
    expect((await attacker.ask("shop")).statusCode).toBe(401);
    expect((await browser.ask("shop", "{ accessToken { role } }")).json().data.accessToken.role).toBe(
      "planner",
    );
    expect(browser.set.at(-1)).toMatch(/^lading-session-80=.*SameSite=Strict$/);
  });

  test.each([
    "//evil.example/@shop",
    "https://evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "/%2f%2fevil.example",
    "/%2f..%2f..//evil.example",
    "/@shop/..%2f..%2f..\\..\\..//evil.example/../..",
    "/\r\n//evil.example",
    "/@shop/%2e%2e/%2e%2e//evil.example",
    "/@shop/../../evil",
    "/@shop@evil.example",
    "javascript:alert(1)",
    `/@shop/${"x".repeat(1_000)}`,
  ])("the place to return to is a page of the console: not %s", async (then) => {
    const answer = await open().signIn(`?then=${encodeURIComponent(then)}`);
    expect(answer.body).toContain('content="0;url=/console/"');
  });

  test("markup in the place to return to is text", async () => {
    const answer = await open().signIn(`?then=${encodeURIComponent('/@shop/"><script>alert(1)</script>')}`);
    expect(answer.body).not.toContain("<script");
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
  });

  test("an error of the provider is shown as text", async () => {
    held.idp.signedIn = undefined;
    const answer = await open().signIn();
    expect(answer.statusCode).toBe(401);
    expect(answer.body).toContain("access_denied: &lt;b&gt;not&lt;/b&gt; today");
  });

  test("a silent sign-in that would need a question leads to the sign-in page", async () => {
    held.idp.signedIn = undefined;
    const answer = await open().signIn("?silent");
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      expect.stringContaining("0;url=/console/sign-in"),
    ]);
  });

  test.each([
    [
      "the provider is unreachable at the beginning",
      503,
      async () => {
        const signIn = signInServices(held.api.database, "http://127.0.0.1:9");
        const browser = openPersonBrowser(held.api.another({ signIn }), held.idp);
        return browser.send({ url: "/console/oidc/sign-in?silent&then=/@shop/tasks" });
      },
    ],
    [
      "the address begins too many",
      429,
      async () => {
        const signIn = signInServices(held.api.database, "http://127.0.0.1:9");
        const browser = openPersonBrowser(held.api.another({ signIn }), held.idp);
        const begin = () => browser.send({ url: "/console/oidc/sign-in?silent&then=/@shop/tasks" });
        for (let i = 0; i < 60; i++) await begin();
        return begin();
      },
    ],
    [
      "the provider is unreachable at the end",
      503,
      async () => {
        held.idp.answers.set("/token", (_request, response) => void response.destroy());
        return open().signIn("?then=/@shop/tasks");
      },
    ],
    [
      "the provider refuses it",
      401,
      async () => {
        held.idp.answers.set("/token", (_request, response) => {
          response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}');
        });
        return open().signIn("?then=/@shop/tasks");
      },
    ],
  ])(
    "when %s, the way back is the sign-in page of the tenant and page that one came from",
    async (_what, code, fail) => {
      const answer = await fail();
      expect([answer.statusCode, answer.body]).toEqual([
        code,
        expect.stringContaining('href="/console/sign-in?tenant=shop&amp;then=%2F%40shop%2Ftasks"'),
      ]);
    },
  );

  test("a person without a mapped group reads their groups, and how to get access", async () => {
    held.idp.persons.set("ada", { name: "<i>Ada</i>", groups: ["<b>staff</b>"] });
    const browser = open();
    const answer = await browser.signIn();
    expect([answer.statusCode, browser.session()]).toEqual([403, undefined]);
    expect(answer.body).toContain("lading group map");
    expect(answer.body).toContain("Your groups: &lt;b&gt;staff&lt;/b&gt;.");
    expect(answer.body).toContain("&lt;i&gt;Ada&lt;/i&gt;");
  });

  test("a page of another site cannot begin a sign-in", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    const answer = await open().send({ url: "/console/oidc/sign-in", headers });
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([403, undefined]);
  });

  test("over plain HTTP a person signs in only at a loopback address", async () => {
    const answer = await open().send({ url: "/console/oidc/sign-in", headers: { host: "lading.example" } });
    expect(answer.statusCode).toBe(403);
  });

  test("the audit trail and tasks name the person", async () => {
    const browser = open();
    await browser.signIn();
    const key = await held.api.uploaded();
    const created = await browser.ask(
      "shop",
      `mutation { createMassOperationBulkTask(input: { key: "${key}", kind: plan }) {
         ... on BulkTaskMassOperation { id createdBy } ... on BasicError { errorName message } } }`,
    );
    const task = created.json().data.createMassOperationBulkTask;
    expect(task).toMatchObject({ createdBy: "Ada Lovelace" });
    const entries = await browser.ask(
      "shop",
      `{ auditTrail(filter: { subjectId: "${task.id}" }) { edges { node {
         actor action personIssuer personSubject personName accessTokenId } } } }`,
    );
    expect(entries.json().data.auditTrail.edges[0].node).toEqual({
      ...{ actor: "person", action: "bulkTask.created", accessTokenId: null },
      ...{ personIssuer: held.idp.issuer, personSubject: "ada", personName: "Ada Lovelace" },
    });
    expect(
      await held.api.database.query("SELECT planner_id FROM bulk_tasks WHERE id = $1", [task.id]),
    ).toEqual([{ planner_id: personId(held.idp.issuer, "ada") }]);
  });

  test("signing out ends the session, and returns where it ends at the provider", async () => {
    const browser = open();
    await browser.signIn();
    const cookie = browser.session() ?? "";
    const answer = await browser.send({ method: "DELETE", url: "/console/session" });
    const url = new URL(answer.json().signOutUrl);
    expect(`${url.origin}${url.pathname}`).toBe(`${held.idp.issuer}/session/end`);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe("http://localhost/console/sign-in");
    expect((await fetch(url)).status).toBe(200);
    browser.cookies.set("lading-session-80", cookie);
    expect((await browser.ask("shop")).statusCode).toBe(401);
    const [ended, opened] = await auditTrail(held.api, { subjectId: undefined });
    expect([ended.action, opened.action]).toEqual(["session.ended", "session.opened"]);
  });

  test("the provider's tokens are stored encrypted, and a session only as a hash", async () => {
    const browser = open();
    await browser.signIn();
    const rows = await held.api.database.query<{ sealed: Buffer }>("SELECT * FROM person_sessions");
    const text =
      JSON.stringify(rows) + rows.map(({ sealed }) => Buffer.from(sealed).toString("latin1")).join();
    expect(text).not.toContain(browser.session());
    expect(text).not.toContain("refreshToken");
  });

  test("failures of an address are limited", async () => {
    const { api, idp } = held;
    const signIn = signInServices(api.database, idp.issuer);
    const browser = openPersonBrowser(api.another({ signIn, wrongCredentialsLimit: 3 }), idp);
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++)
      statuses.push((await browser.arrive("/console/oidc/callback?code=a&state=b")).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});
