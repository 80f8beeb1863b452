import { beforeAll, expect, test, vi } from "vitest";
import { createTenant } from "../../src/tenants/create.ts";
import { headersOf, useApi } from "./support.ts";

let admin: Record<string, string>;

const api = useApi({ bodyLimit: 10_000, headerWords: ["Service", "Shop"] });
beforeAll(async () => {
  admin = await api.tokenHeaders("admin");
});

const query = "{ tenant { identifier } }";

const post = (url: string, headers: Record<string, string>, payload: unknown = { query }) =>
  api.send({ method: "POST", url, headers, payload: payload as object });

/** Every refusal has a message and the same message among its errors. */
const refusal = (code: string, message: unknown = expect.any(String)) => ({
  message,
  errors: [{ message, extensions: { code } }],
});

test.each([
  ["without an access token", {}],
  ["with its id alone", { "X-Service-Access-Token-Id": "0".repeat(24) }],
  ["with an empty one", headersOf({ id: "", secret: "" })],
])("%s the answer is 401 and names the headers", async (_, headers) => {
  expect(await post("/@shop", headers)).toEqual({
    status: 401,
    body: refusal(
      "Unauthorized",
      expect.stringMatching(/^Send an access token .* X-Service-Access-Token-Id/),
    ),
  });
});

test("a wrong secret, an unknown token and another tenant's token are answered alike", async () => {
  const other = await createTenant(api.database, { identifier: "other" });
  const right = { id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret };
  const answers = await Promise.all([
    post("/@shop", headersOf({ ...right, secret: "wrong" })),
    post("/@shop", headersOf({ ...right, id: "0".repeat(24) })),
    post("/@shop", headersOf({ id: other.accessTokenId, secret: other.accessTokenSecret })),
  ]);
  const message = expect.stringMatching(/^Unknown access token: the tenant "shop"/);
  expect(answers[0]).toEqual({ status: 401, body: refusal("Unauthorized", message) });
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test("an unknown tenant is 404, with and without a token", async () => {
  const expected = { status: 404, body: refusal("TenantNotFound", 'There is no tenant "shpo".') };
  expect(await post("/@shpo", admin)).toEqual(expected);
  expect(await post("/@shpo", {})).toEqual(expected);
});

test("an access token or a tenant's name with a NUL character is refused, and not a defect", async () => {
  expect((await post("/@sh%00op", admin)).status).toBe(404);
  expect((await post("/@shop", headersOf({ id: "\u00ff", secret: "x" }))).status).toBe(401);
  expect(api.logged).toEqual([]);
});

test("a request is refused before its body is read", async () => {
  const payload = { query: "x".repeat(20_000) };
  expect((await post("/@shop", {}, payload)).status).toBe(401);
  expect(await post("/@shop", admin, payload)).toEqual({
    status: 413,
    body: refusal("FST_ERR_CTP_BODY_TOO_LARGE", "The request is larger than 10000 bytes."),
  });
});

test("a body that is not JSON is refused with 400, and another content type with 415", async () => {
  const json = { ...admin, "content-type": "application/json" };
  for (const body of ['{"query": ', "", "\u0000"]) {
    expect(await post("/@shop", json, body)).toMatchObject({
      status: 400,
      body: { message: expect.any(String), errors: [{ message: expect.any(String) }] },
    });
  }
  for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/graphql"]) {
    expect(await post("/@shop", { ...admin, "content-type": type }, query)).toMatchObject({
      status: 415,
      body: refusal("FST_ERR_CTP_INVALID_MEDIA_TYPE", expect.stringContaining("application/json")),
    });
  }
});

test("a body without a query is refused with 400 and says what is expected", async () => {
  for (const payload of [{}, [], [{ query }], { query: 7 }, { query: null }, "null", "7"]) {
    const answer = await post("/@shop", { ...admin, "content-type": "application/json" }, payload);
    expect(answer).toEqual({ status: 400, body: refusal("BadRequest", expect.stringContaining('"query"')) });
  }
  expect((await api.send({ method: "POST", url: "/@shop", headers: admin })).status).toBe(400);
});

test("variables and operationName of a wrong type are refused with 400", async () => {
  for (const wrong of [{ variables: [] }, { variables: "x" }, { operationName: "nope" }])
    expect(await post("/@shop", admin, { query, ...wrong }), JSON.stringify(wrong)).toMatchObject({
      status: 400,
      body: { message: expect.any(String), errors: [{}] },
    });
});

test("an address without a route is answered 404 and says where the API is", async () => {
  for (const [method, url] of [
    ["GET", "/@shop"],
    ["POST", "/shop"],
    ["GET", "/shop"],
    ["POST", "/"],
    ["POST", "/@shop/other"],
  ] as const)
    expect(await api.send({ method, url, headers: admin })).toEqual({
      status: 404,
      body: refusal("NotFound", expect.stringContaining("POST /@{tenant}")),
    });
});

test("an address that does not decode is refused with 400", async () => {
  expect(await post("/@%E0%A4%A", admin)).toMatchObject({ status: 400, body: { errors: [{}] } });
});

test("the right token is accepted under every configured word, at both addresses", async () => {
  const token = { id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret };
  for (const url of ["/@shop", "/@shop/core"])
    for (const word of ["Service", "shop"])
      expect(await post(url, headersOf(token, word))).toEqual({
        status: 200,
        body: { data: { tenant: { identifier: "shop" } } },
      });
  expect((await post("/@shop", headersOf(token, "Other"))).status).toBe(401);
});

test("health is answered without a token, and readiness follows the database", async () => {
  expect(await api.send({ url: "/health/live" })).toEqual({ status: 200, body: { status: "live" } });
  expect(await api.send({ url: "/health/ready" })).toEqual({ status: 200, body: { status: "ready" } });
  const query = vi.spyOn(api.database, "query").mockRejectedValue(new Error("connection refused"));
  const answer = await api.send({ url: "/health/ready" });
  query.mockRestore();
  expect(answer).toEqual({ status: 503, body: refusal("NotReady", "The database is unreachable.") });
});
