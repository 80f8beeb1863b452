import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { openMetrics } from "../../../src/telemetry/metrics.ts";
import { createAccessToken } from "../../../src/tenants/access-tokens.ts";
import { consoleLimits } from "../../../src/tenants/console-sessions.ts";
import { headersOf, useApi } from "../support.ts";
import { fromOwnPage, openBrowser } from "./browser.ts";

let server: FastifyInstance;

const api = useApi();
afterEach(() => server.close());

const newToken = () =>
  createAccessToken(api.database, api.shop.tenant.id, { name: "browser", role: "admin" });
const codeOf = ({ body }: { body: string }) => JSON.parse(body).errors[0].extensions.code;

test("wrong credentials for a session count with those of every other request from an address", async () => {
  server = api.another({ wrongCredentialsLimit: 3 });
  const browser = openBrowser(server);
  const right = await newToken();
  const wrong = { id: right.id, secret: "wrong" };
  expect((await browser.signIn("shop", wrong)).statusCode).toBe(401);
  expect((await browser.signIn("nowhere", wrong)).statusCode).toBe(404);
  browser.cookie = `lading-session-80=${"x".repeat(43)}`;
  expect((await browser.ask("shop")).statusCode).toBe(401);
  const refused = [await browser.signIn("shop", right), await browser.ask("shop")];
  browser.cookie = `lading-session-80=${"x".repeat(43)}`;
  refused.push(await browser.send({ url: "/console/session" }));
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429]);
  // One more is allowed every 20 seconds, some of which may have passed.
  expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(10);
});

test("sessions per token and hour are limited, with at most two audit entries for each", {
  tags: "release",
}, async () => {
  server = api.another({ rateLimit: 0 });
  const token = await newToken();
  // More than the limit grants again while they are answered.
  const tries = Array.from({ length: consoleLimits.openedPerHour + 10 }, () =>
    openBrowser(server).signIn("shop", token),
  );
  const answers = await Promise.all(tries);
  const opened = answers.filter(({ statusCode }) => statusCode === 200).length;
  expect(opened).toBeGreaterThanOrEqual(consoleLimits.openedPerHour);
  const refused = answers.find(({ statusCode }) => statusCode !== 200);
  expect([refused?.statusCode, refused?.body]).toEqual([
    429,
    expect.stringContaining("60 an hour are allowed"),
  ]);
  const [{ entries } = { entries: 0 }] = await api.database.query<{ entries: number }>(
    "SELECT count(*)::int AS entries FROM audit_trail WHERE access_token_id = $1",
    [token.id],
  );
  expect(entries).toBeGreaterThan(opened);
  expect(entries).toBeLessThanOrEqual(2 * opened);
});

test("the requests of a token count for it by whatever session", async () => {
  server = api.another({ rateLimit: 3 });
  const [one, other] = [openBrowser(server), openBrowser(server)];
  for (const each of [one, other]) await each.signIn("shop", await newToken());
  const last = await newToken();
  for (const each of [one, other]) await each.signIn("shop", last);
  expect((await one.ask("shop")).headers["ratelimit-remaining"]).toBe("0");
  expect([(await other.ask("shop")).statusCode, (await one.ask("shop")).statusCode]).toEqual([429, 429]);
});

test("requests of a session about itself are limited", async () => {
  server = api.another({ rateLimit: 0 });
  const browser = openBrowser(server);
  await browser.signIn("shop", await newToken());
  const asked = Array.from({ length: 2 * consoleLimits.requestsPerMinute }, () =>
    browser.send({ url: "/console/session" }),
  );
  const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(
    consoleLimits.requestsPerMinute,
  );
});

test("the body of a request for a session is short, and is JSON", async () => {
  server = api.another({});
  const post = (payload: string, type = "application/json") =>
    openBrowser(server).send({
      ...{ method: "POST", url: "/console/session", payload },
      headers: { "content-type": type },
    });
  const large = await post(JSON.stringify({ tenant: "x".repeat(consoleLimits.requestBytes) }));
  expect([large.statusCode, large.json().message]).toEqual([413, "The request is larger than 4096 bytes."]);
  expect((await post("tenant=shop", "application/x-www-form-urlencoded")).statusCode).toBe(415);
  expect((await post("tenant=shop", "text/plain")).statusCode).toBe(415);
  expect((await post("{")).statusCode).toBe(400);
});

test("the body of a request for a session comes in time", async () => {
  server = api.another({ timeouts: { headers: 1_000, body: 100, silence: 10_000 } });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /console/session HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n` +
      `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"tenant":`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test("a stream that a session opened ends with the session, and one opened by its token alone continues", async () => {
  server = api.another({ tokenCheck: 50 });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const token = await newToken();
  const browser = openBrowser(server, { host: url.slice("http://".length) });
  await browser.signIn("shop", token);
  const { id } = await api.task();
  const events = (headers: Record<string, string>) => fetch(`${url}/@shop/tasks/${id}/events`, { headers });
  const streamed = await events({ ...fromOwnPage, cookie: browser.cookie as string });
  expect(streamed.status).toBe(200);
  const kept = await events({
    "x-service-access-token-id": token.id,
    "x-service-access-token-secret": token.secret,
  });
  await browser.send({ method: "DELETE", url: "/console/session/shop" });
  expect(await streamed.text()).toContain(
    'event: closed\ndata: {"code":"Unauthorized","message":"The session has ended',
  );
  const reader = kept.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
});

test("no secret of a token or a session and no code is logged, answered, counted or audited, whatever fails", async () => {
  const lines: string[] = [];
  const stream = new PassThrough().on("data", (line: Buffer) => lines.push(line.toString()));
  const logger = pino({ level: "trace" }, stream);
  server = api.another({ logger, wrongCredentialsLimit: 0, metrics: openMetrics(api.database) });
  const token = await newToken();
  const made = await server.inject({
    ...{ method: "POST", url: "/@shop/console-code" },
    headers: headersOf(token),
  });
  const { code } = made.json();
  const browser = openBrowser(server);
  const useCode = (code: string, others = {}) =>
    browser.send({ method: "POST", url: "/console/session", payload: { tenant: "shop", code, ...others } });
  const answers = [await browser.signIn("shop", token), await browser.signIn("nowhere", token)];
  const session = browser.cookie?.split("=")[1] as string;
  answers.push(
    await browser.ask("shop"),
    await browser.ask("nowhere"),
    await browser.send({ url: "/console/session" }),
    await browser.send({ method: "POST", url: "/console/session", payload: { secret: token.secret } }),
    await browser.send({ url: "/@shop/dump.json", headers: { "sec-fetch-site": "cross-site" } }),
    await useCode(code),
    await useCode(code),
    await useCode(code, { tenant: "nowhere" }),
    await browser.send({ method: "DELETE", url: "/console/session/nowhere" }),
    await browser.send({ method: "DELETE", url: "/console/session" }),
    await browser.send({ url: "/metrics" }),
  );
  expect(answers.at(-1)?.body).toContain('route="/console/session/:tenant"');
  const audited = JSON.stringify(await api.database.query("SELECT * FROM audit_trail"));
  expect(audited).toContain('"by":"code"');
  const said = [...lines, ...answers.map(({ body }) => body), audited].join("\n");
  expect(lines.length).toBeGreaterThan(answers.length - 1);
  expect(lines.find((line) => line.includes('"session":true'))).toContain(token.id);
  for (const secret of [token.secret, session, code]) expect(said).not.toContain(secret);
});

test("what is wrong in the body of a request is said without its values", async () => {
  server = api.another({});
  const answer = await openBrowser(server).send({
    ...{ method: "POST", url: "/console/session" },
    headers: { "content-type": "application/json" },
    payload: '{"tenant": "shop", "accessTokenSecret": "a secret that is cut o',
  });
  expect([answer.statusCode, codeOf(answer)]).toEqual([400, "FST_ERR_CTP_INVALID_JSON_BODY"]);
  expect(answer.body).not.toContain("a secret");
});
