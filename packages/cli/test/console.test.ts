import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openTestPostgres } from "../../../test/support/engines.ts";
import { openApi } from "../../service/test/http/support.ts";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { scriptedService, unusedUrl } from "./support/scripted-service.ts";

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

/** Listens with the service's own HTTP server and a console of one page, and keeps the token of the tenant `shop`. */
async function serviceWith(options: Parameters<typeof openApi>[0] = {}) {
  await writeInto(folder, "index.html", "<!doctype html>");
  let url = "";
  const consoleFiles = { folder, otherAddresses: () => [] };
  const api = await openApi({ publicUrl: () => url, consoleFiles, ...options });
  onTestFinished(api.close);
  await api.server.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`;
  const { accessTokenId, accessTokenSecret } = api.shop;
  await keep(url, { accessTokenId, accessTokenSecret });
  return { url, logged: api.logged };
}

async function keep(url: string, token: object): Promise<void> {
  await chmod(await writeInto(folder, "credentials.json", { [url]: { shop: token } }), 0o600);
}

/** Puts a program that adds its arguments to a file in front of the one that opens a browser here. */
async function withBrowser(): Promise<() => Promise<string>> {
  const [bin, opened] = [join(folder, "bin"), join(folder, "opened")];
  await mkdir(bin);
  for (const name of ["open", "xdg-open"])
    await writeFile(join(bin, name), `#!/bin/sh\necho "$@" >> '${opened}'\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  vi.stubEnv("DISPLAY", ":0");
  return () => readFile(opened, "utf8");
}

const terminal = { stdin: { isTTY: true }, stdout: { isTTY: true } as never };

const codeIn = (address: string) =>
  new URLSearchParams(new URL(address.trim()).hash.slice(1)).get("code") ?? "";

const redeem = (url: string, code: string) =>
  fetch(`${url}/console/session`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", origin: url },
    body: JSON.stringify({ tenant: "shop", code }),
  });

test("the error says whether the console is turned off or not built", async () => {
  const off = await serviceWith({ console: false });
  const { code, stdout, stderr } = await lading(["console", "shop", "--url", off.url]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("LADING_CONSOLE=false");
  const consoleFiles = { folder: import.meta.dirname, otherAddresses: () => [] };
  const unbuilt = await serviceWith({ consoleFiles, open: openTestPostgres });
  const refused = await lading(["console", "shop", "--url", unbuilt.url]);
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toMatch(/answered 503: The console is not built\. Run `npm run build:console/);
});

test("the error says what is missing: a token, a valid one, or the service", async () => {
  const { url } = await serviceWith();
  const stranger = await lading(["console", "nobody", "--url", url]);
  expect(stranger).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("lading login nobody"),
  });
  const wrong = ["--token-id", "k1", "--token-secret", "shh"];
  const refused = await lading(["console", "shop", "--url", url, ...wrong]);
  expect(refused).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("refused the token"),
  });
  const nowhere = await lading(["console", "shop", "--url", await unusedUrl(), ...wrong]);
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("lading serve") });
});

test("an answer that is not a web address is neither printed nor opened", async () => {
  const opened = await withBrowser();
  for (const address of ["file:///etc/passwd", "javascript:alert(1)", "--help", 7, undefined]) {
    const service = await scriptedService({ "": () => ({ status: 201, body: { url: address } }) });
    await keep(service.url, { accessTokenId: "k1", accessTokenSecret: "shh" });
    const { code, stdout, stderr } = await lading(["console", "shop", "--url", service.url], terminal);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("without the address of its console");
  }
  await expect(opened()).rejects.toThrow("ENOENT");
});

test("the address that is printed signs in once, and its code is nowhere else", async () => {
  const { url, logged } = await serviceWith();
  const { code, stdout, stderr } = await lading(["console", "shop", "--url", url]);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${url}/console/#tenant=shop&code=[\\w-]+\\n$`));
  const secret = codeIn(stdout);
  const session = await redeem(url, secret);
  expect(await session.json()).toMatchObject({ tenants: [{ identifier: "shop", role: "admin" }] });
  expect((await redeem(url, secret)).status).toBe(401);
  expect(stderr + JSON.stringify(logged)).not.toContain(secret);
});

test("a browser is opened on a terminal with a screen, and not with --no-open or --json", async () => {
  const opened = await withBrowser();
  const { url } = await serviceWith();
  const args = ["console", "shop", "--url", url];
  const printed = JSON.parse((await lading([...args, "--json"], terminal)).stdout);
  expect(Object.keys(printed)).toEqual(["url", "expiresAt"]);
  await lading([...args, "--no-open"], terminal);
  await lading([...args, "--no-interactive"], terminal);
  await lading(args);
  vi.stubEnv("DISPLAY", "");
  vi.stubEnv("WAYLAND_DISPLAY", "");
  if (process.platform === "linux") await lading(args, terminal);
  vi.stubEnv("DISPLAY", ":0");
  const { stdout, stderr } = await lading(args, terminal);
  expect(stderr).toContain("Opened in your browser");
  await vi.waitFor(async () => expect(await opened()).toBe(stdout));
});
