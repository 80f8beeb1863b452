import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { cleanEnvironment, lading, writeInto } from "../support/lading.ts";
import { data, scriptedService, unusedUrl } from "../support/scripted-service.ts";
import { basicError } from "../support/scripted-task.ts";

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

function created({ input }: Record<string, unknown>) {
  const { identifier } = input as { identifier: string };
  return data({
    createTenant: {
      tenant: { id: "t1", identifier, rootItemId: "r1" },
      accessTokenId: `id of ${identifier}`,
      accessTokenSecret: `secret of ${identifier}`,
    },
  });
}

function create(url: string, identifier: string, ...more: string[]) {
  return lading(["tenant", "create", identifier, "--url", url, ...more]);
}

test("an unreachable service is reported before a missing token", async () => {
  const { code, stderr } = await create(await unusedUrl(), "acme", "--data-dir", folder);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: no service at /)]);
});

test("without an operator's token the message names the ways to give one", async () => {
  const { url } = await scriptedService({});
  const { code, stderr } = await create(url, "acme", "--data-dir", folder);
  expect(code).toBe(1);
  expect(stderr).toContain(`${join(folder, "operator-token")} cannot be read (ENOENT)`);
  expect(stderr).toContain("LADING_OPERATOR_TOKEN");
});

test("an existing tenant is the service's error, and nothing is kept", async () => {
  const taken = basicError("createTenant", "there is a tenant acme", "TenantIdentifierTakenError");
  const service = await scriptedService({ CreateTenant: () => taken });
  const { code, stderr } = await create(service.url, "acme", "--operator-token", "op");
  expect(code).toBe(1);
  expect(stderr).toContain("there is a tenant acme (TenantIdentifierTakenError)");
  await expect(stat(join(folder, "credentials.json"))).rejects.toThrow("ENOENT");
});

test.each([
  ["the option", ["--operator-token", "op-1"], undefined],
  ["the environment", [], "op-1"],
])("the operator's token is taken from %s", async (_where, flags, variable) => {
  vi.stubEnv("LADING_OPERATOR_TOKEN", variable);
  const service = await scriptedService({ CreateTenant: created });
  expect(await create(service.url, "acme", ...flags)).toMatchObject({ code: 0 });
  expect(service.received[0]).toMatchObject({
    path: "/operator",
    headers: { authorization: "Bearer op-1" },
    variables: { input: { identifier: "acme", name: "acme" } },
  });
});

test("the operator's token is taken from the service's data folder", async () => {
  await writeInto(folder, "operator-token", "op-2\n");
  const service = await scriptedService({ CreateTenant: created });
  await create(service.url, "acme", "--data-dir", folder, "--name", "Acme Ltd");
  expect(service.received[0]?.headers.authorization).toBe("Bearer op-2");
  expect(service.received[0]?.variables).toEqual({ input: { identifier: "acme", name: "Acme Ltd" } });
});

test("tenant create --json prints tenant and token", async () => {
  const service = await scriptedService({ CreateTenant: created });
  const { stdout } = await create(service.url, "acme", "--operator-token", "op", "--json");
  expect(JSON.parse(stdout)).toEqual({
    tenant: "acme",
    accessTokenId: "id of acme",
    accessTokenSecret: "secret of acme",
    tenantId: "t1",
    rootItemId: "r1",
  });
});

test("tokens of several tenants are kept in one file, which only its owner may read", async () => {
  const service = await scriptedService({ CreateTenant: created });
  const { stdout } = await create(service.url, "acme", "--operator-token", "op");
  expect(stdout).toContain("secret of acme");
  await create(`${service.url}/`, "other", "--operator-token", "op");
  const path = join(folder, "credentials.json");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    [service.url]: {
      acme: { accessTokenId: "id of acme", accessTokenSecret: "secret of acme" },
      other: { accessTokenId: "id of other", accessTokenSecret: "secret of other" },
    },
  });
});

test("a saved token is used by later commands for the same service and tenant only", async () => {
  const refused = () => ({ status: 404, body: { message: "stop here" } });
  const service = await scriptedService({ CreateTenant: created, FindTask: refused });
  await create(service.url, "acme", "--operator-token", "op");
  await lading(["mass-operation", "status", "task", "--tenant", "acme", "--url", service.url]);
  expect(service.received.at(-1)?.headers["x-service-access-token-secret"]).toBe("secret of acme");
  const { stderr } = await lading([
    "mass-operation",
    "status",
    "task",
    "--tenant",
    "other",
    "--url",
    service.url,
  ]);
  expect(stderr).toContain("no access token for tenant other");
});

test("a credentials file that is not JSON is named, and left alone", async () => {
  const path = await writeInto(folder, "credentials.json", "{ mine");
  const { code, stderr } = await lading(["mass-operation", "status", "task", "--tenant", "acme"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${path} is not a file of credentials`);
  expect(await readFile(path, "utf8")).toBe("{ mine");
});
