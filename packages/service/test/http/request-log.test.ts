import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { uploadRoutes } from "../../src/uploads/receive.ts";
import { type Api, headersOf, openApi, operatorToken } from "./support.ts";

let api: Api;
let url: string;
const written = new PassThrough();
let text = "";

beforeAll(async () => {
  written.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  api = await openApi({
    logger: pino({ level: "trace" }, written),
    phase: () => (stops ? "stopping" : "ready"),
    wrongCredentialsLimit: 100,
  });
  const credential = { id: "tests", secret: "a secret of the tests" };
  const where = { bucket: "uploads", publicUrl: () => "https://shop.example" };
  api.server.register(uploadRoutes, {
    store: api.store,
    credential,
    tenantExists: async () => true,
    ...where,
  });
  await api.server.listen({ port: 0 });
  url = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`;
});
afterEach(() => {
  text = "";
  stops = false;
});
afterAll(() => api.close());

let stops = false;
const admin = () => headersOf({ id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret });

interface Line {
  level: number;
  msg: string;
  request: string;
  [name: string]: unknown;
}

const lines = () => text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]));

async function send(path: string, init: RequestInit = {}): Promise<{ response: Response; line: Line }> {
  const response = await fetch(`${url}${path}`, init);
  const id = response.headers.get("x-request-id");
  const line = await vi.waitFor(() => {
    const found = lines().filter(({ msg, request }) => msg === "request" && request === id);
    expect(found).toHaveLength(1);
    return found[0] as Line;
  });
  return { response, line };
}

const query = (body: string, headers: Record<string, string> = admin()) => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify({ query: body }),
});

const [debug, info, warn] = [20, 30, 40];

describe("the line of a request", () => {
  test("the log line of an unknown caller's request has its method, path and status", async () => {
    const wrong = headersOf({ id: api.shop.accessTokenId, secret: "wrong" });
    const { line } = await send("/@shop", query("{ __typename }", wrong));
    expect(line).toMatchObject({ level: info, method: "POST", path: "/@shop", status: 401 });
    for (const name of ["tenant", "token", "tokenName", "operator"]) expect(line).not.toHaveProperty(name);
    expect((await send("/nowhere")).line).toMatchObject({ level: info, path: "/nowhere", status: 404 });
    expect((await send("/%zz")).line).toMatchObject({ path: "/%zz", status: 400 });
  });

  test("the log line of a request names the tenant and the token, or the operator", async () => {
    const { line } = await send("/@shop", query("{ __typename }"));
    expect(line).toMatchObject({
      ...{ level: info, status: 200, ms: expect.any(Number), tenant: api.shop.tenant.id },
      ...{ token: api.shop.accessTokenId, tokenName: expect.any(String) },
    });
    const operator = { authorization: `Bearer ${operatorToken}` };
    const of = (await send("/operator", query("{ tenants { totalCount } }", operator))).line;
    expect(of).toMatchObject({ operator: true, status: 200 });
  });

  test("the log line of a failure is a warning, and that of a health check is for debugging", async () => {
    expect((await send("/health/live")).line).toMatchObject({ level: debug, status: 200 });
    stops = true;
    expect((await send("/health/ready")).line).toMatchObject({ level: warn, status: 503 });
  });

  test("the log line of a request says that the client went away before the answer", async () => {
    const { id } = await task();
    const leaving = new AbortController();
    const path = `/@shop/tasks/${id}/events`;
    const response = await fetch(`${url}${path}`, { headers: admin(), signal: leaving.signal });
    expect(response.status).toBe(200);
    expect(lines().filter((line) => line.path === path)).toEqual([]);
    leaving.abort();
    const [line] = await vi.waitFor(() => {
      const found = lines().filter((each) => each.path === path);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(line).toMatchObject({ status: 200, aborted: true, tenant: api.shop.tenant.id });
  });

  test("a client that resets its connection before it is known who it is causes no error", async () => {
    const path = "/@shop/export?kind=products";
    const socket = connect((api.server.server.address() as AddressInfo).port, "127.0.0.1", () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: shop\r\n\r\n`);
      socket.resetAndDestroy();
    });
    const line = await vi.waitFor(
      () => {
        const found = lines().find(({ msg, path }) => msg === "request" && path === "/@shop/export");
        expect(found).toBeDefined();
        return found;
      },
      { timeout: 10_000 },
    );
    expect(line).toMatchObject({ aborted: true });
    expect(lines().filter(({ level }) => level > warn)).toEqual([]);
  });

  test("a request keeps a proxy's id in its log lines and answer, if that is a plain word", async () => {
    const given = { "x-request-id": "proxy-7.a" };
    expect((await send("/nowhere", { headers: given })).line.request).toBe("proxy-7.a");
    const strange = { "x-request-id": '"},{"' };
    expect((await send("/nowhere", { headers: strange })).line.request).toMatch(/^[0-9a-f-]{36}$/);
    const broken = breakAuthentication();
    const other = { ...admin(), "x-request-id": "proxy-8" };
    const { response } = await send("/@shop", query("{ __typename }", other));
    broken.mockRestore();
    expect(response.status).toBe(500);
    expect(lines().filter(({ level }) => level > warn)).toMatchObject([{ request: "proxy-8" }]);
  });
});

/** Fails the statement that finds the caller, and no other: streams of earlier tests may still send some. */
function breakAuthentication() {
  const query = api.database.query.bind(api.database);
  return vi
    .spyOn(api.database, "query")
    .mockImplementation((sql, ...rest) =>
      sql.includes("secret_hash") ? Promise.reject(new TypeError("a defect")) : query(sql, ...rest),
    );
}

/** A task that nobody works on, so that its events do not end. */
async function task(): Promise<{ id: string }> {
  const { form } = await presigned();
  const uploaded = await fetch(`${url}/uploads`, { method: "POST", body: form });
  expect(uploaded.status).toBe(201);
  const { createMassOperationBulkTask } = await api.data(
    `mutation ($key: String!) { createMassOperationBulkTask(input: {key: $key, autoStart: false}) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    { key: form.get("key") },
  );
  return createMassOperationBulkTask;
}

/** A presigned form with a file, and what of it is worth as much as a token. */
async function presigned() {
  const { response } = await send(
    "/@shop",
    query(
      `mutation { generatePresignedUploadRequest(
         input: {type: MASS_OPERATIONS, filename: "f.json", contentType: "application/json"}) {
         ... on PresignedUploadRequest { fields { name value } } ... on BasicError { error } } }`,
    ),
  );
  const { data } = (await response.json()) as {
    data: { generatePresignedUploadRequest: { fields: { name: string; value: string }[] } };
  };
  const form = new FormData();
  for (const { name, value } of data.generatePresignedUploadRequest.fields) form.append(name, value);
  form.append("file", new Blob(['{"version":"1.0.0","operations":[]}']));
  const secrets = ["policy", "x-amz-signature"].map((wanted) => {
    const field = [...form].find(([name]) => name.toLowerCase() === wanted);
    return String(field?.[1]);
  });
  return { form, secrets };
}

test("no log line has a token's secret, the operator's token or a presigned policy, whatever was sent", async () => {
  const { form, secrets } = await presigned();
  const { accessTokenSecret: secret } = api.shop;
  const { response } = await send("/uploads", { method: "POST", body: form });
  expect(response.status).toBe(201);
  expect((await send("/uploads", { method: "POST", body: form })).response.status).toBe(409);
  await send(`/@shop?secret=${secret}&token=${operatorToken}`, query("{ __typename }"));
  await send("/@shop", query(`{ customer(identifier: "${secret}") { ... on BasicError { error } } }`));
  await send("/@shop", query(`{ noField${secret} }`));
  await send("/@other", query("{ __typename }"));
  await send("/operator", query("{ tenants { totalCount } }", { authorization: `Bearer ${operatorToken}` }));
  await send("/operator", query("{ tenants { totalCount } }", { authorization: `Bearer ${operatorToken}x` }));
  const broken = breakAuthentication();
  expect((await send("/@shop", query("{ __typename }"))).response.status).toBe(500);
  broken.mockRestore();
  expect(lines().length).toBeGreaterThan(10);
  expect(secrets.every((each) => each.length > 20)).toBe(true);
  for (const each of [secret, operatorToken, ...secrets]) expect(text).not.toContain(each);
});
