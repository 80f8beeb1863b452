import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { resolved } from "../src/mutations/references.ts";
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

test("no tenant is created while its token could not be saved", async () => {
  await writeInto(folder, "credentials.json", "{");
  const { code, stderr, service } = await operate({}, "tenant", "create", "acme");
  expect([code, stderr]).toEqual([1, expect.stringContaining("is not a file of credentials")]);
  expect(service.received).toEqual([]);
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
  [["--name", "ci", "--role", "owner"], "Allowed choices are reader, planner, admin"],
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

const root = { tenant: { id: "t1", rootItemId: "r1", vatTypes: [{ id: "v1" }] } };

async function execute(file: unknown, script: Script, ...flags: string[]) {
  const service = await scriptedService({ ReadTenant: () => data(root), ...script });
  const path = await writeInto(folder, "mutations.json", file);
  const args = ["mass-operation", "execute-mutations", "acme", path, "--url", service.url];
  const outcome = await lading([...args, "--token-id", "i", "--token-secret", "s", ...flags]);
  const sent = service.received.filter(({ operation }) => operation !== "ReadTenant");
  return { ...outcome, sent: sent.map(({ operation, variables }) => ({ operation, variables })), service };
}

const created = ({ name }: Record<string, unknown>) => data({ make: { id: `id of ${name}`, size: 3 } });
const make = { mutation: "mutation Make($name: String!) { make(name: $name) { id size } }" };

test.each([
  ["{", "is not JSON"],
  ['{ "a": {} ,}', ':1:11 is not JSON: there is a comma before "}": remove it'],
  [[], "expected an object"],
  [{ a: { sets: [{}] } }, '"mutation" is missing'],
  [{ a: { ...make, sets: {} } }, '"sets" is not a list'],
  [{ a: { ...make, sets: [{}], target: "pim" } }, 'only "core"'],
  [{ a: { ...make, sets: [{ name: "$b[0].make.id" }] }, b: { ...make, sets: [{}] } }, "earlier mutation"],
  [{ a: { ...make, sets: [{ name: "$a[0].make.id" }] } }, "earlier mutation"],
  [{ a: { ...make, sets: [{}] }, b: { ...make, sets: [{ name: "$a[1].make.id" }] } }, "$a[1].make.id"],
])("a file such as %j is refused with code 2, and nothing is sent", async (file, problem) => {
  const { code, stderr, service } = await execute(file, {});
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
  expect(service.received).toEqual([]);
});

test("mutations are sent in order, once for each set, with the results of earlier ones", async () => {
  const file = {
    "make-parent": { ...make, target: "core", sets: [{ name: "one" }, { name: "two" }] },
    child: { ...make, sets: [{ name: "$make-parent[1].make.id", in: { root: "$root.TENANT_ROOT_ID" } }] },
  };
  const { code, stdout, sent } = await execute(file, { Make: created });
  expect(code).toBe(0);
  expect(sent.map(({ variables }) => variables)).toEqual([
    { name: "one" },
    { name: "two" },
    { name: "id of two", in: { root: "r1" } },
  ]);
  expect(stdout).toContain('success make-parent[1]: {"make":{"id":"id of two","size":3}}\n');
  expect(stdout).toContain("3 mutations: 3 succeeded, 0 failed\n");
});

const twice = { first: { ...make, sets: [{ name: "one" }] }, second: { ...make, sets: [{ name: "two" }] } };
const refusedOnce = (variables: Record<string, unknown>, nth: number) =>
  nth === 0 ? basicError("make", "taken", "TakenError") : created(variables);

test("the first failing mutation ends the run with code 4", async () => {
  const { code, stdout, sent } = await execute(twice, { Make: refusedOnce });
  expect(code).toBe(4);
  expect(stdout).toContain("failure first[0]: taken (TakenError)\n");
  expect(stdout).toContain("2 mutations: 0 succeeded, 1 failed, 1 not sent\n");
  expect(sent).toHaveLength(1);
});

test("--continue-on-error continues after a failing mutation, and still ends with code 4", async () => {
  const { code, stdout } = await execute(twice, { Make: refusedOnce }, "--continue-on-error", "--json");
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    succeeded: 1,
    failed: 1,
    results: [
      { name: "first", error: "taken (TakenError)" },
      { name: "second", data: {} },
    ],
  });
});

test("a mutation that refers to a failed one fails too, and is not sent", async () => {
  const file = { ...twice, second: { ...make, sets: [{ name: "$first[0].make.id" }] } };
  const { stdout, sent } = await execute(file, { Make: refusedOnce }, "--continue-on-error");
  expect(stdout).toContain("$first[0].make.id leads to nothing");
  expect(sent).toHaveLength(1);
});

test("errors of a request are failures of its mutation", async () => {
  const wrong = () => ({
    status: 400,
    body: { message: "no field make", errors: [{ message: "no field make" }] },
  });
  const { code, stdout } = await execute(twice, { Make: wrong });
  expect(code).toBe(4);
  expect(stdout).toContain("failure first[0]: ");
  expect(stdout).toContain("no field make");
});

test("references to earlier results keep their types, or become text within other text; a price is none", () => {
  const results = { a: [{ list: [{ n: 5 }] }], root: { ID: "r" } };
  expect(resolved(["$a[0].list[0].n", "n=$a[0].list[0].n.", "$5.99", "$root.ID/x"], results)).toEqual([
    5,
    "n=5.",
    "$5.99",
    "r/x",
  ]);
});

test("a reference to a missing result says which results exist", () => {
  expect(() => resolved("$a[0].list.m", { a: [{ list: { n: 5 } }] })).toThrow(
    "$a[0].list.m leads to nothing: $a[0].list has n",
  );
  expect(() => resolved("$a[0].constructor", { a: [{}] })).toThrow("leads to nothing");
});
