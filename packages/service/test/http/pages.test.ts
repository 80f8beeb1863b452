import { getIntrospectionQuery } from "graphql";
import { describe, expect, test } from "vitest";
import { useApi } from "./support.ts";

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const addressesOf = (html: string) =>
  [...html.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, address = ""]) => address);
const api = useApi();

const get = (url: string, headers: Record<string, string> = {}) =>
  api.server.inject({ method: "GET", url, headers });

describe("GraphiQL", () => {
  test("is not sent to a client that does not accept HTML, and no query by GET is executed", async () => {
    for (const accept of ["application/json", "*/*", "application/graphql-response+json", "text/html"]) {
      if (accept !== "text/html") expect((await get("/@shop", { accept })).statusCode).toBe(404);
      const { statusCode, body } = await get("/@shop?query={tenant{identifier}}", { accept });
      expect([accept, statusCode]).toEqual([accept, 400]);
      expect(body).not.toContain('"data"');
    }
  });

  test("answers HEAD as it answers GET, without the page", async () => {
    for (const headers of [browser, { accept: "application/json" }]) {
      const [page, head] = await Promise.all([
        get("/@shop", headers),
        api.server.inject({ method: "HEAD", url: "/@shop", headers }),
      ]);
      expect([head.statusCode, head.body]).toEqual([page.statusCode, ""]);
      expect(head.headers["content-security-policy"]).toBe(page.headers["content-security-policy"]);
    }
  });

  test("is the same page for an unknown tenant, and echoes nothing of the URL", async () => {
    const page = await get("/@shop", browser);
    const other = await get("/@%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E", browser);
    expect(other.statusCode).toBe(200);
    expect(other.body).toBe(page.body);
  });

  test("names no foreign host, and each of its files is there with its type", async () => {
    const page = await get("/@shop", browser);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      vary: "Accept",
    });
    expect(page.body).not.toMatch(/(?:https?:)?\/\//);
    const script = await get(`/${addressesOf(page.body).at(-1)}`);
    const folder = /new URL\("([^"]+)"/.exec(script.body)?.[1];
    const workers = [...script.body.matchAll(/: "(\S+\.js)"/g)].map(([, name]) => `${folder}${name}`);
    expect(workers).toHaveLength(3);
    const files = [...addressesOf(page.body).filter((address) => !address.startsWith("data:")), ...workers];
    expect(files).toHaveLength(6);
    for (const file of files) {
      const { statusCode, headers } = await get(`/${file}`, { "accept-encoding": "gzip" });
      const type = file.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
      expect([file, statusCode, headers["content-type"]]).toEqual([file, 200, type]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  test("may load and call nothing but the service, and cannot be framed", async () => {
    const { headers, body } = await get("/@shop", browser);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self'; worker-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|\*/);
    // With this policy a browser runs no script that is written within the page.
    expect(body).not.toMatch(/<script(?! src=)|\son\w+=/);
  });

  test("stores no headers, sends no cookies and queries by POST only", async () => {
    const { body } = await get("/@shop", browser);
    const script = await get(`/${addressesOf(body).at(-1)}`);
    expect(script.headers["cache-control"]).toBe("no-cache");
    for (const option of [
      'credentials: "omit"',
      'method: "POST"',
      "shouldPersistHeaders: false",
      "useGETForQueries: false",
      "X-Service-Access-Token-Id",
    ])
      expect(script.body).toContain(option);
  });

  test("sends its files compressed to those who accept it, and none by another name", async () => {
    const { body } = await get("/@shop", browser);
    const url = `/${addressesOf(body).find((address) => address.endsWith("graphiql.css"))}`;
    const [plain, gzipped] = [await get(url), await get(url, { "accept-encoding": "br, gzip" })];
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gzipped.headers["content-encoding"]).toBe("gzip");
    expect(gzipped.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    for (const name of ["constructor", "..%2fpackage.json", "favicon.ico"])
      expect((await get(url.replace("graphiql.css", name))).statusCode).toBe(404);
  });

  test("finds the whole schema by introspection, within the limits of a query", async () => {
    const { status, body } = await api.ask(
      getIntrospectionQuery({
        schemaDescription: true,
        inputValueDeprecation: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
      }),
    );
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body.data.__schema.types.length).toBeGreaterThan(100);
  });

  test("is gone when the setting says so, and so is its form", async () => {
    const without = api.another({ graphiql: false });
    const { body } = await get("/@shop", browser);
    for (const url of ["/@shop", `/${addressesOf(body).at(-1)}`, "/graphiql?tenant=shop"])
      expect((await without.inject({ url, headers: browser })).statusCode).toBe(404);
    expect((await without.inject({ url: "/" })).body).not.toContain("<form");
    await without.close();
  });
});

describe("the page at /", () => {
  test("leads to GraphiQL of a tenant, and never to another host", async () => {
    const { body } = await get("/");
    expect(addressesOf(body)).toContain("graphiql");
    const target = async (tenant: string) => {
      const { statusCode, headers } = await get(`/graphiql?tenant=${encodeURIComponent(tenant)}`);
      return [statusCode, new URL(String(headers.location), "http://lading.example/graphiql").href];
    };
    expect(await target(" shop ")).toEqual([303, "http://lading.example/@shop"]);
    for (const hostile of [
      "//evil.example",
      "evil.example/../..",
      "\\\\evil.example",
      "shop\r\nSet-Cookie: a=b",
    ])
      expect((await target(hostile))[1]).toMatch(/^http:\/\/lading\.example\/@/);
    expect((await get("/graphiql")).statusCode).toBe(400);
    expect((await get("/graphiql?tenant=a&tenant=b")).statusCode).toBe(400);
  });

  test("has no dead link and no foreign host", async () => {
    const { statusCode, headers, body } = await get("/");
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(body).not.toMatch(/(?:https?:)?\/\//);
    expect(String(headers["content-security-policy"])).toContain("default-src 'none'");
    const links = addressesOf(body).filter(
      (address) => !address.startsWith("data:") && address !== "graphiql",
    );
    expect(links).toContain("health/ready");
    for (const link of links) expect([link, (await get(`/${link}`)).statusCode]).toEqual([link, 200]);
  });
});
