import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { reportLimits } from "../../../src/http/console/csp-reports.ts";
import { type Api, openApi } from "../support.ts";

let api: Api;
let server: FastifyInstance;
let folder: string;

const script = "console.log('a script of the console')";

beforeAll(async () => {
  api = await openApi();
  folder = await mkdtemp(join(tmpdir(), "lading-console-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "secret.txt"), "not for anybody");
  await writeFile(join(folder, "assets/index-abc.js"), script);
  await writeFile(join(folder, "assets/index-abc.js.br"), brotliCompressSync(script));
  await writeFile(join(folder, "index.html"), page("__LADING_CONSOLE_NONCE__"));
});
afterEach(() => server.close());
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const page = (nonce: string) =>
  `<!doctype html><meta property="csp-nonce" nonce="${nonce}"><script type="module" nonce="${nonce}"></script>`;

const open = (options: Partial<Parameters<Api["another"]>[0]> = {}) => {
  const otherAddresses = () => ["https://shop.example/lading", "https://bucket.example/uploads"];
  server = api.another({ consoleFiles: { folder, otherAddresses }, ...options });
  return server;
};

const policyOf = ({ headers }: { headers: Record<string, unknown> }) =>
  Object.fromEntries(
    String(headers["content-security-policy"])
      .split("; ")
      .map((directive): [string, string] => {
        const [name = "", ...values] = directive.split(" ");
        return [name, values.join(" ")];
      }),
  );

test("a console that is not built says how to build it", async () => {
  open({ consoleFiles: { folder: join(folder, "none"), otherAddresses: () => [] } });
  for (const url of ["/console", "/console/", "/console/@shop/tasks"]) {
    const answer = await server.inject({ url });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(answer.body).toMatch(/^The console is not built\. Run `npm run build:console` .*\n$/);
  }
  expect((await server.inject({ url: "/console/assets/index-abc.js" })).statusCode).toBe(404);
});

test("without the console there is nothing at its addresses", async () => {
  open({ console: false });
  for (const url of ["/console", "/console/assets/index-abc.js", "/console/session"])
    expect((await server.inject({ url })).statusCode, url).toBe(404);
  expect((await server.inject({ method: "POST", url: "/console/csp-report", payload: {} })).statusCode).toBe(
    404,
  );
  expect((await server.inject({ url: "/" })).body).not.toContain('href="console"');
});

test("every address of the console has its page, with a nonce of its own", async () => {
  open();
  const nonces = new Set<string>();
  for (const url of [
    "/console",
    "/console/",
    "/console/@shop/tasks/1?status=failure",
    "/console/session/shop",
    "/console/@shop/tasks/%F0%9F",
  ]) {
    const answer = await server.inject({ url });
    const policy = policyOf(answer);
    const nonce = /^'nonce-([\w+/]{22}==)'$/.exec(policy["script-src"] ?? "")?.[1] as string;
    expect([answer.statusCode, answer.body]).toEqual([200, page(nonce)]);
    expect(policy["style-src"]).toBe(policy["script-src"]);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(5);
  expect((await server.inject({ url: "/" })).body).toContain('href="console"');
});

test("the page loads nothing from elsewhere but images and uploads, and cannot be framed", async () => {
  open();
  const answer = await server.inject({ url: "/console" });
  const { "script-src": _, "style-src": __, ...policy } = policyOf(answer);
  const others = "https://shop.example https://bucket.example";
  expect(policy).toEqual({
    "default-src": "'none'",
    "worker-src": "'self'",
    "font-src": "'self'",
    "img-src": `'self' ${others} data:`,
    "connect-src": `'self' ${others}`,
    "form-action": "'self'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "lading-console",
    "report-uri": "/console/csp-report",
    "report-to": "csp",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  });
  expect(answer.headers).toMatchObject({
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
    "referrer-policy": "no-referrer",
    "reporting-endpoints": 'csp="/console/csp-report"',
    "x-content-type-options": "nosniff",
  });
});

test("a console file is cached forever, is served compressed, and has a policy in case it is a worker", async () => {
  open();
  const plain = await server.inject({ url: "/console/assets/index-abc.js" });
  expect([plain.statusCode, plain.body]).toEqual([200, script]);
  expect(plain.headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": expect.stringMatching(
      /^default-src 'none'; script-src 'self'; connect-src 'self';/,
    ),
    "content-type": "application/javascript; charset=utf-8",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    vary: "Accept-Encoding",
  });
  const headers = { "accept-encoding": "gzip, deflate, br" };
  const packed = await server.inject({ url: "/console/assets/index-abc.js", headers });
  expect([packed.headers["content-encoding"], packed.headers.vary]).toEqual(["br", "Accept-Encoding"]);
  expect(packed.headers["content-type"]).toBe("application/javascript; charset=utf-8");
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(script);
});

test("nothing but the files of the console is served", async () => {
  open();
  for (const path of [
    "none.js",
    "",
    "../secret.txt",
    "..%2fsecret.txt",
    "%2e%2e/secret.txt",
    "%00",
    "..%5csecret.txt",
  ]) {
    const answer = await server.inject({ url: `/console/assets/${path}` });
    expect([path, answer.body.includes("not for anybody")]).toEqual([path, false]);
    expect([200, 400, 403, 404], path).toContain(answer.statusCode);
    if (answer.statusCode === 200) expect(answer.body, path).toContain("csp-nonce");
  }
});

const violation = {
  effectiveDirective: "script-src-elem",
  blockedURL: "https://evil.example/a.js?token=secret#code=secret",
  sourceFile: "https://shop.example/console",
  lineNumber: 7,
};
const older = { "effective-directive": "img-src", "blocked-uri": "inline", "line-number": "x".repeat(500) };
const report = (payload: unknown, type = "application/reports+json", remoteAddress = "192.0.2.1") =>
  server.inject({
    ...{ method: "POST", url: "/console/csp-report", headers: { "content-type": type }, remoteAddress },
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
  });

test("what the policy has stopped is logged, without the queries of addresses", async () => {
  const warned: unknown[] = [];
  const logger = loggerOf(warned);
  open({ logger });
  expect((await report([{ type: "csp-violation", body: violation }])).statusCode).toBe(204);
  expect((await report({ "csp-report": older }, "application/csp-report")).statusCode).toBe(204);
  const msg = "the console's content security policy blocked something";
  expect(warned).toMatchObject([
    { msg, directive: "script-src-elem", blocked: "https://evil.example/a.js", line: 7 },
    { msg, directive: "img-src", blocked: "inline", line: "x".repeat(reportLimits.characters) },
  ]);
  expect(JSON.stringify(warned)).not.toContain("secret");
});

test("reports are bounded in size, and their log lines by the minute", async () => {
  const warned: unknown[] = [];
  open({ logger: loggerOf(warned) });
  expect((await report("x".repeat(reportLimits.bytes + 1))).statusCode).toBe(413);
  expect((await report("{")).statusCode).toBe(400);
  for (const odd of [null, 1, [null, 1, [[]]], { body: 1 }]) expect((await report(odd)).statusCode).toBe(204);
  expect((await report({}, "text/plain")).statusCode).toBe(415);
  warned.length = 0;
  const many = Array.from({ length: 50 }, () => ({ body: violation }));
  for (let i = 0; i < 20; i++) await report(many, "application/reports+json", `198.51.100.${i}`);
  expect(warned.length).toBeLessThanOrEqual(reportLimits.perMinute);
  expect(warned.length).toBeGreaterThan(reportLimits.perMinute / 2);
});

function loggerOf(warned: unknown[]) {
  const stream = new PassThrough().on("data", (line: Buffer) => warned.push(JSON.parse(line.toString())));
  return pino({ level: "warn" }, stream);
}
