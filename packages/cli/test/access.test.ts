import { execFile } from "node:child_process";
import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test, vi } from "vitest";
import { bin } from "../../../test/support/lading.ts";
import { tree } from "../src/commands/tree.ts";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { data, scriptedService, unusedUrl } from "./support/scripted-service.ts";

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

const terminal = { isTTY: true } as never;
const tenant = { id: "t1", identifier: "acme", name: "Acme", rootItemId: "r1" };
const accessToken = { id: "k1", name: "ci", role: "admin", expiresAt: null };
const known = { WhoAmI: () => data({ tenant, accessToken }) };
const refused = { WhoAmI: () => ({ status: 401, body: { message: "no such token" } }) };
const token = ["--token-id", "k1", "--token-secret", "shh"];

async function keep(url: string, ...tenants: string[]): Promise<string> {
  const tokens = tenants.map((tenant) => [
    tenant,
    { accessTokenId: `id of ${tenant}`, accessTokenSecret: "s" },
  ]);
  const path = await writeInto(folder, "credentials.json", { [url]: Object.fromEntries(tokens) });
  await chmod(path, 0o600);
  return path;
}

test.each([
  ["login", ["login", "acme"]],
  ["run", ["mass-operation", "run", "acme", "FILE"]],
  ["add-operation", ["mass-operation", "add-operation", "FILE"]],
  ["tenant delete", ["tenant", "delete", "acme", "--operator-token", "op"]],
])("%s with --no-interactive asks nothing, even on a terminal", async (_name, args) => {
  const file = await writeInto(folder, "shop.json", { version: "1.0.0", operations: [] });
  const words = args.map((word) => (word === "FILE" ? file : word));
  vi.stubEnv("LADING_URL", (await scriptedService({})).url);
  const { code, stderr } = await lading([...words, "--no-interactive"], {
    stdin: terminal,
    stdout: terminal,
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/--(token-id|intent|yes)/);
});

const withoutService = [
  ["login", ["login", "acme"]],
  ["whoami", ["whoami"]],
  ["whoami --tenant", ["whoami", "--tenant", "acme"]],
  ["logs", ["mass-operation", "logs", "1"]],
  ["undo", ["mass-operation", "undo", "1", "--yes"]],
  ["task show", ["task", "show", "1"]],
] as const;

test.each(withoutService)("%s reports an unreachable service before a missing token", async (_name, args) => {
  const { code, stderr } = await lading([...args, "--url", await unusedUrl()]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: no service at /)]);
});

test.each([
  ["login", ["login", "acme", ...token]],
  ["list", ["mass-operation", "list", "acme", ...token]],
  ["tenant create", ["tenant", "create", "acme", "--operator-token", "op"]],
  ["doctor", ["doctor"]],
])("%s says that a service on http does not speak TLS", async (_name, args) => {
  const { url } = await scriptedService({});
  const { code, stdout, stderr } = await lading([...args, "--url", url.replace("http:", "https:")]);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain("its host does not speak TLS at this port");
  expect(stdout + stderr).not.toMatch(/openssl|ssl3_|c:error/i);
});

test("a token that the service refuses is not kept", async () => {
  const service = await scriptedService(refused);
  const { code, stderr } = await lading(["login", "acme", "--url", service.url, ...token]);
  expect(code).toBe(1);
  expect(stderr).toContain("no such token");
  await expect(stat(join(folder, "credentials.json"))).rejects.toThrow("ENOENT");
});

test("login keeps a token that the service accepts", async () => {
  const service = await scriptedService(known);
  const { code, stdout } = await lading(["login", "acme", "--url", service.url, ...token]);
  expect(code).toBe(0);
  expect(stdout).toContain('with the admin token "ci"');
  expect(stdout).not.toContain("shh");
  expect(JSON.parse(await readFile(join(folder, "credentials.json"), "utf8"))).toEqual({
    [service.url]: { acme: { accessTokenId: "k1", accessTokenSecret: "shh" } },
  });
});

test("several processes keep tokens concurrently, and none is lost", async () => {
  const module = new URL("../src/service/credentials.ts", import.meta.url).href;
  const tenants = ["a", "b", "c"];
  const keepMany = (tenant: string) => `
    const { keepCredentials } = await import(${JSON.stringify(module)});
    for (let i = 0; i < 20; i++)
      await keepCredentials("http://h", "${tenant}" + i, { accessTokenId: "i", accessTokenSecret: "s" });`;
  const run = (tenant: string) =>
    promisify(execFile)(process.execPath, ["--input-type=module", "--eval", keepMany(tenant)]);
  await Promise.all(tenants.map(run));
  const path = join(folder, "credentials.json");
  expect(Object.keys(JSON.parse(await readFile(path, "utf8"))["http://h"])).toHaveLength(3 * 20);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("whoami without a token says how to save one", async () => {
  const { code, stderr } = await lading(["whoami", "--url", (await scriptedService({})).url]);
  expect(code).toBe(1);
  expect(stderr).toContain("lading login");
});

test("whoami shows every saved token of the service, a refused one with the reason", async () => {
  const service = await scriptedService({
    WhoAmI: () => (service.received.at(-1)?.path === "/@gone" ? refused.WhoAmI() : known.WhoAmI()),
  });
  await keep(service.url, "acme", "gone");
  const { code, stdout } = await lading(["whoami", "--url", service.url]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^acme +admin +ci +never$/m);
  expect(stdout).toMatch(/^gone +– +.*no such token/m);
});

test("doctor finds that nothing listens, and which variables are set, without their values", async () => {
  const url = await unusedUrl();
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", "shh");
  const { code, stdout } = await lading(["doctor", "--url", url, "--data-dir", folder]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem +service .*cannot be reached/m);
  expect(stdout).toContain("LADING_ACCESS_TOKEN_SECRET");
  expect(stdout).not.toContain("shh");
});

test("a token that cannot be kept is an error of one sentence, which names the file", async () => {
  const service = await scriptedService(known);
  const file = await writeInto(folder, "file", "");
  vi.stubEnv("LADING_CREDENTIALS", join(file, "credentials.json"));
  const { code, stderr } = await lading(["login", "acme", "--url", service.url, ...token]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: cannot keep credentials in .*credentials\.json: [^\n]*LADING_CREDENTIALS\n$/,
  );
});

test("the secret of an access token is read from the file that LADING_ACCESS_TOKEN_SECRET_FILE names", async () => {
  const service = await scriptedService(known);
  const path = await writeInto(folder, "secret", "from-a-file\n");
  vi.stubEnv("LADING_ACCESS_TOKEN_ID", "k1");
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET_FILE", path);
  const args = ["whoami", "--tenant", "acme", "--url", service.url];
  expect((await lading(args)).code).toBe(0);
  expect(service.received.at(-1)?.headers).toMatchObject({ "x-service-access-token-secret": "from-a-file" });
  await lading([...args, ...token]);
  expect(service.received.at(-1)?.headers).toMatchObject({ "x-service-access-token-secret": "shh" });
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", "shh");
  expect(await lading(args)).toMatchObject({ code: 1, stderr: expect.stringContaining("are both set") });
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", "");
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET_FILE", join(folder, "missing"));
  const { stderr } = await lading(args);
  expect(stderr).toMatch(/LADING_ACCESS_TOKEN_SECRET_FILE names .*missing, which cannot be read \(ENOENT\)/);
  const doctor = await lading(["doctor", "--url", service.url, "--data-dir", folder]);
  expect(doctor.stdout).not.toContain("is not a setting");
});

test("doctor names an unknown variable, and one whose value no service accepts", async () => {
  const url = await unusedUrl();
  vi.stubEnv("LADING_SLOT", "8");
  vi.stubEnv("LADING_LEASE_MS", "999999999999");
  const { stdout } = await lading(["doctor", "--url", url, "--data-dir", folder]);
  expect(stdout).toMatch(/note +environment +LADING_SLOT is not a setting .* did you mean "LADING_SLOTS"\?/);
  expect(stdout).toMatch(/problem +environment +LADING_LEASE_MS is 999999999999; it must be /);
});

test("doctor finds credentials that others may read, and a token that is refused", async () => {
  const service = await scriptedService(refused);
  await chmod(await keep(service.url, "acme"), 0o644);
  const { code, stdout } = await lading(["doctor", "--url", service.url, "--data-dir", folder]);
  expect(code).toBe(1);
  expect(stdout).toContain("chmod 600");
  expect(stdout).toMatch(/^problem +tenant acme .*no such token/m);
});

test("doctor says why a service is not ready", async () => {
  const away = { status: 503, body: { message: "The database is unreachable." } };
  const service = await scriptedService({ Health: () => away });
  const { code, stdout } = await lading(["doctor", "--url", service.url, "--data-dir", folder]);
  expect(code).toBe(1);
  expect(stdout).toContain("503: The database is unreachable.");
});

test("doctor ends with code 0 when it finds no problem", async () => {
  const tenants = () => data({ tenants: { totalCount: 2 } });
  const service = await scriptedService({ ...known, Count: tenants });
  await keep(service.url, "acme");
  const args = ["doctor", "--url", service.url, "--operator-token", "op", "--json"];
  const { code, stdout } = await lading(args);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).map(({ level }: { level: string }) => level)).not.toContain("problem");
});

test.each(["bash", "zsh", "fish"])("the completion script for %s has every command", async (shell) => {
  const { code, stdout } = await lading(["completion", shell]);
  expect(code).toBe(0);
  for (const name of ["serve", "tenant", "execute-mutations", "revoke", "max-failures"])
    expect(stdout).toContain(name);
});

test.each([
  [["lading", ""], Object.keys(tree.commands).join(" ")],
  [["lading", "tenant", "c"], "create"],
  [["lading", "tenant", "--"], "--json --no-interactive --quiet --help"],
  [["lading", "--no-interactive", "mass-operation", "ru"], "run"],
  [["lading", "--j"], "--json"],
  [["lading", "mass-operation", "logs", "6561", "--status", ""], "success partial failure"],
  [["lading", "mass-operation", "run", "acme", "--max"], "--max-failures"],
  [["lading", "mass-operation", "add-operation", "a.json", "--intent", "image"], "image/register"],
  [["lading", "serve", "--role", ""], "all api runner"],
  [["lading", "token", "create", "acme", "--role", ""], "reader planner admin"],
  [["lading", "serve", "--log-level", "w"], "warn"],
  [["lading", "completion", ""], "bash zsh fish"],
  [["lading", "tenant", "settings", "add", "acme", "v"], "vat-type"],
  [["lading", "mass-operation", "run", ""], "acme bravo"],
  [["lading", "mass-operation", "run", "acme", ""], ""],
  [["lading", "mass-operation", "status", "6561", "--tenant", "b"], "bravo"],
  [["lading", "mass-operation", "run", "--url", "http://other.example:4000", ""], "other"],
])("bash completion proposes what may follow %j", async (words, expected) => {
  await writeInto(folder, "credentials.json", {
    "http://127.0.0.1:4000": { acme: {}, bravo: {}, "$(touch stolen)": {} },
    "http://other.example:4000": { other: {} },
  });
  const { stdout: script } = await lading(["completion", "bash"]);
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const ask = [
    `lading() { '${process.execPath}' '${bin}' "$@"; }`,
    `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}`,
    `COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}; _lading; echo "\${COMPREPLY[@]}"`,
  ].join("\n");
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", `${script}\n${ask}`]);
  expect(stdout).toBe(`${expected}\n`);
});
