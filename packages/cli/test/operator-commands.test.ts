import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { data, type Script, scriptedService } from "./support/scripted-service.ts";
import { basicError } from "./support/scripted-task.ts";

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

const token = { name: "ci", role: "reader", createdAt: "2030-01-01", expiresAt: null, lastUsedAt: null };

async function operate(script: Script, ...args: string[]) {
  const service = await scriptedService(script);
  const outcome = await lading([...args, "--url", service.url, "--operator-token", "op"]);
  return { ...outcome, service, sent: service.received.at(-1) };
}

async function keep(url: string, tenant: string, accessTokenId: string): Promise<void> {
  await writeInto(folder, "credentials.json", {
    [url]: { [tenant]: { accessTokenId, accessTokenSecret: "s" } },
  });
}

const kept = async () => JSON.parse(await readFile(join(folder, "credentials.json"), "utf8"));

test("a tenant is deleted only after confirmation, without a terminal by --yes", async () => {
  const { code, stderr, service } = await operate({}, "tenant", "delete", "acme");
  expect(code).toBe(1);
  expect(stderr).toContain("--yes");
  expect(service.received).toEqual([]);
});

test("a deleted tenant's token is forgotten, others are kept", async () => {
  const service = await scriptedService({
    DeleteTenant: () => data({ deleteTenant: { id: "1", identifier: "acme" } }),
  });
  const other = { accessTokenId: "2", accessTokenSecret: "s" };
  const acme = { accessTokenId: "1", accessTokenSecret: "s" };
  await writeInto(folder, "credentials.json", { [service.url]: { acme, other }, elsewhere: { acme } });
  const args = ["tenant", "delete", "acme", "--yes", "--url", service.url, "--operator-token", "op"];
  expect(await lading(args)).toMatchObject({ code: 0, stdout: "Tenant acme is deleted.\n" });
  expect(await kept()).toEqual({ [service.url]: { other }, elsewhere: { acme } });
});

test("the error about an unknown tenant has its name", async () => {
  const missing = basicError("tenant", 'There is no tenant "acme"', "TenantNotFoundError");
  const { code, stderr } = await operate({ ShowTenant: () => missing }, "tenant", "show", "acme");
  expect(code).toBe(1);
  expect(stderr).toContain("TenantNotFoundError");
});

test("tenants are listed from every page", async () => {
  const pages = [
    { endCursor: "1", hasNextPage: true, identifier: "acme" },
    { endCursor: "2", hasNextPage: false, identifier: "tidewater" },
  ];
  const answer = (_: unknown, nth: number) => {
    const { identifier, ...pageInfo } = pages[nth]!;
    const node = { id: `id-${nth}`, identifier, name: "A\u001b[31m", createdAt: "2030-01-01" };
    return data({ tenants: { pageInfo, edges: [{ node }] } });
  };
  const { code, stdout } = await operate({ ListTenants: answer }, "tenant", "list");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^identifier +name +id +created\nacme +A \[31m +id-0 .*\ntidewater /);
});

test("a tenant is shown with its numbers and tokens", async () => {
  const usage = { items: 12_000, productVariants: 1, customers: 0, orders: 0, bulkTasks: 2, operations: 3 };
  const tenant = { id: "t1", identifier: "acme", name: "Acme", rootItemId: "r1", createdAt: "2030-01-01" };
  const limits = { uploadMaxBytes: 1_000_000, uploadLifetimeSeconds: 900 };
  const answer = () =>
    data({ tenant: { ...tenant, ...limits, usage, accessTokens: [{ id: "k1", ...token }] } });
  const { stdout } = await operate({ ShowTenant: answer }, "tenant", "show", "acme");
  expect(stdout).toMatch(/^items +12,000$/m);
  expect(stdout).toMatch(/^k1 +ci +reader +2030-01-01 +never +never$/m);
});

test.each([
  ["90d", 90 * 86_400_000],
  ["30m", 30 * 60_000],
])("a token that expires in %s is created with the time of its end", async (expires, milliseconds) => {
  const created = () => data({ createAccessToken: { accessToken: { id: "k1", ...token }, secret: "shh" } });
  const args = ["token", "create", "acme", "--name", "ci", "--role", "reader", "--expires", expires];
  const { code, stdout, sent } = await operate({ CreateAccessToken: created }, ...args);
  expect(code).toBe(0);
  expect(stdout).toContain("shh");
  expect(sent?.variables).toMatchObject({ tenant: "acme", input: { name: "ci", role: "reader" } });
  const { expiresAt } = sent!.variables.input as { expiresAt: string };
  expect(Math.abs(Date.parse(expiresAt) - Date.now() - milliseconds)).toBeLessThan(60_000);
});

test.each([
  [["--name", "ci", "--expires", "soon"], "neither a duration"],
  [["--name", "ci", "--role", "owner"], "Allowed choices are admin, reader"],
  [[], "required option '--name <name>' not specified"],
])("a token cannot be created with %j", async (flags, hint) => {
  const { code, stderr, service } = await operate({}, "token", "create", "acme", ...flags);
  expect(code).toBe(1);
  expect(stderr).toContain(hint);
  expect(service.received).toEqual([]);
});

test("token create keeps a token only with --keep", async () => {
  const created = () => data({ createAccessToken: { accessToken: { id: "k1", ...token }, secret: "shh" } });
  await operate({ CreateAccessToken: created }, "token", "create", "acme", "--name", "ci");
  await expect(kept()).rejects.toThrow("ENOENT");
  const flags = ["--name", "ci", "--keep", "--json"];
  const { service, stdout } = await operate(
    { CreateAccessToken: created },
    "token",
    "create",
    "acme",
    ...flags,
  );
  expect(JSON.parse(stdout)).toMatchObject({ tenant: "acme", id: "k1", secret: "shh" });
  expect(await kept()).toEqual({
    [service.url]: { acme: { accessTokenId: "k1", accessTokenSecret: "shh" } },
  });
});

test("a revoked token is forgotten, another one of the tenant is not", async () => {
  const revoked = ({ id }: Record<string, unknown>) =>
    data({ revokeAccessToken: { accessToken: { ...token, id } } });
  const service = await scriptedService({ RevokeAccessToken: revoked });
  await keep(service.url, "acme", "mine");
  const revoke = (id: string) =>
    lading(["token", "revoke", "acme", id, "--url", service.url, "--operator-token", "op"]);
  expect(await revoke("other")).toMatchObject({ code: 0, stdout: 'Token "ci" (other) is revoked.\n' });
  expect(Object.keys(await kept())).toEqual([service.url]);
  await revoke("mine");
  expect(await kept()).toEqual({});
});

test("the operator's token is looked for in the data folder that LADING_DATA_DIR names too", async () => {
  const { url } = await scriptedService({});
  const { code, stderr } = await lading(["token", "list", "acme", "--data-dir", folder, "--url", url]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${join(folder, "operator-token")} cannot be read (ENOENT)`);
});
