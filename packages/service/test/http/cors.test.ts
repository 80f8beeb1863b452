import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { headersOf, operatorToken, useApi } from "./support.ts";

let server: FastifyInstance;

const api = useApi();
afterEach(() => server.close());

const shop = "https://shop.example";

const preflight = (url: string, origin = shop) =>
  server.inject({
    ...{ method: "OPTIONS", url },
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-service-access-token-id",
    },
  });

const ask = (origin: string, url = "/@shop") =>
  server.inject({
    ...{ method: "POST", url, payload: { query: "{ __typename }" } },
    headers: {
      ...headersOf({ id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret }),
      ...{ origin, authorization: `Bearer ${operatorToken}` },
    },
  });

const corsHeaders = ({ headers }: { headers: object }) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control"));

test("no origin may call when none is set", async () => {
  server = api.another({});
  for (const answer of [await preflight("/@shop"), await ask(shop)]) expect(corsHeaders(answer)).toEqual([]);
  expect((await preflight("/@shop")).statusCode).toBe(404);
});

test("the JSON Schema of files is for scripts of any origin", async () => {
  server = api.another({ corsOrigins: [shop] });
  for (const origin of [shop, "https://editor.example"]) {
    const answer = await server.inject({ url: "/schema/mass-operation.json", headers: { origin } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
  }
});

test("an origin that is not listed gets no CORS headers", async () => {
  server = api.another({ corsOrigins: [shop] });
  for (const origin of ["https://evil.example", "https://shop.example.evil", "http://shop.example", "null"]) {
    expect(corsHeaders(await ask(origin)), origin).toEqual([]);
    expect((await preflight("/@shop", origin)).statusCode, origin).toBe(404);
  }
});

test("a listed origin may send preflights and calls, to the tenant's API and to the uploads", async () => {
  server = api.another({ corsOrigins: ["https://other.example", shop] });
  for (const url of ["/@shop", "/@shop/core", "/uploads"]) {
    const { statusCode, headers } = await preflight(url);
    expect([statusCode, url]).toEqual([204, url]);
    expect(headers).toMatchObject({
      "access-control-allow-origin": shop,
      "access-control-allow-headers": "content-type,x-service-access-token-id",
      "access-control-allow-methods": "GET, POST",
      vary: "Origin",
    });
    expect(headers).not.toHaveProperty("access-control-allow-credentials");
  }
  const answer = await ask(shop);
  expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([200, shop]);
});

test("a listed origin can read a refusal too", async () => {
  server = api.another({ corsOrigins: ["*"] });
  const { statusCode, headers } = await ask(shop, "/@none");
  expect([statusCode, headers["access-control-allow-origin"]]).toEqual([404, shop]);
});

test("no origin may call the operator's API", async () => {
  server = api.another({ corsOrigins: ["*"] });
  for (const answer of [await preflight("/operator"), await ask(shop, "/operator")])
    expect(corsHeaders(answer)).toEqual([]);
});
