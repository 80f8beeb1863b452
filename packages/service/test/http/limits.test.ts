import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import type { ApiServerOptions } from "../../../../test/support/servers/api-server.ts";
import { headersOf, operatorToken, useApi } from "./support.ts";

let server: FastifyInstance;

const api = useApi();
afterEach(() => server.close());

const open = (options: Partial<ApiServerOptions>) => {
  server = api.another(options);
  return headersOf({ id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret });
};

const query = "{ tenant { identifier } }";

/** Status, headers and code of the answer to one query of the Core API. */
async function post(headers: Record<string, string>, more: { url?: string; remoteAddress?: string } = {}) {
  const { url = "/@shop", ...rest } = more;
  const response = await server.inject({ method: "POST", url, headers, payload: { query }, ...rest });
  const code = response.json().errors?.[0].extensions.code as string | undefined;
  return { status: response.statusCode, headers: response.headers, body: response.json(), code };
}

describe("requests of one token", () => {
  test("requests of a token beyond the limit get 429 and the time to wait, in the usual headers", async () => {
    const headers = open({ rateLimit: 3 });
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await post(headers));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers["ratelimit-remaining"])).toEqual(["2", "1", "0", "0"]);
    const [first, , , last] = answers;
    expect(first?.headers).toMatchObject({ "ratelimit-limit": "3" });
    expect(first?.headers).not.toHaveProperty("retry-after");
    expect(last?.code).toBe("TooManyRequests");
    expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
    expect(last?.body.message).toMatch(/: 3 a minute are allowed\. Try again in \d+ s\.$/);
  });

  test("requests of one token do not count for another token of the same tenant", async () => {
    const headers = open({ rateLimit: 1 });
    await post(headers);
    expect((await post(headers)).status).toBe(429);
    expect((await post(await api.tokenHeaders("reader"))).status).toBe(200);
  });

  test("requests are not limited, nor given headers, where no limit is set", async () => {
    const headers = open({});
    const answer = await post(headers);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });
});

describe("wrong credentials from one address", () => {
  const wrong = headersOf({ id: "0".repeat(24), secret: "guess" });

  test("wrong credentials beyond the limit are answered 429 unread, and so are right ones from there", async () => {
    const right = open({ wrongCredentialsLimit: 2 });
    const from = { remoteAddress: "192.0.2.1" };
    expect((await post(wrong, from)).status).toBe(401);
    expect((await post(wrong, from)).status).toBe(401);
    const refused = await post(wrong, from);
    expect([refused.status, refused.code]).toEqual([429, "TooManyRequests"]);
    expect(refused.headers).toHaveProperty("retry-after");
    expect((await post(right, from)).status).toBe(429);
    expect((await post(right, { remoteAddress: "192.0.2.2" })).status).toBe(200);
  });

  test("concurrent wrong credentials are checked up to the limit, and right ones wait for them", async () => {
    const right = open({ wrongCredentialsLimit: 5 });
    const statuses = async (headers: Record<string, string>) =>
      (await Promise.all(Array.from({ length: 40 }, () => post(headers)))).map(({ status }) => status);
    expect(new Set(await statuses(right))).toEqual(new Set([200]));
    const answers = await statuses(wrong);
    expect(answers.filter((status) => status === 401)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(35);
  });

  test("wrong credentials of the operator count too", async () => {
    open({ wrongCredentialsLimit: 1 });
    const operator = { url: "/operator" };
    expect((await post({ authorization: "Bearer guess" }, operator)).status).toBe(401);
    expect((await post({ authorization: "Bearer guess" }, operator)).status).toBe(429);
    expect((await post({ authorization: `Bearer ${operatorToken}` }, operator)).status).toBe(429);
  });

  test("right credentials do not count as wrong ones", async () => {
    const right = open({ wrongCredentialsLimit: 1 });
    for (let i = 0; i < 3; i++) expect((await post(right)).status).toBe(200);
  });

  const addresses = [
    ["POST", "/@none"],
    ["POST", "/@none/core"],
    ["GET", "/@none/tasks/1/events"],
    ["GET", "/@none/tasks/1/operations.jsonl"],
  ] as const;

  test.each(addresses)(
    "requests of an unknown tenant count as wrong credentials: %s %s",
    async (method, url) => {
      const right = open({ wrongCredentialsLimit: 2 });
      const ask = async (headers: Record<string, string>) => {
        const payload = method === "POST" ? { query } : undefined;
        return (await server.inject({ method, url, headers, ...(payload && { payload }) })).statusCode;
      };
      expect([await ask(right), await ask({}), await ask(right)]).toEqual([404, 404, 429]);
      expect((await post(right)).status).toBe(429);
    },
  );

  test("wrong credentials count by the address that a trusted proxy names, which nobody else can do", async () => {
    open({ wrongCredentialsLimit: 1, trustedProxies: ["10.0.0.0/8"] });
    const from = (remoteAddress: string, client: string) =>
      post({ ...wrong, "x-forwarded-for": client }, { remoteAddress });
    expect((await from("10.0.0.1", "192.0.2.1")).status).toBe(401);
    expect((await from("10.0.0.1", "192.0.2.1")).status).toBe(429);
    expect((await from("10.0.0.1", "192.0.2.2")).status).toBe(401);
    expect((await from("192.0.2.3", "192.0.2.4")).status).toBe(401);
    expect((await from("192.0.2.3", "192.0.2.5")).status).toBe(429);
  });
});
