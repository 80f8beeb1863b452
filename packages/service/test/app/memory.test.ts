import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tenantClient } from "../../../../test/support/client.ts";
import { runFile } from "../../../../test/support/service.ts";
import {
  type RunningService,
  type ServiceOptions,
  type ServiceTenant,
  startService,
} from "../../src/index.ts";

const inMemory = { memory: true, port: 0, logLevel: "silent" } as const;

const clientOf = (service: RunningService, { id, identifier, ...access }: ServiceTenant) =>
  tenantClient(service.url, identifier, { ...access, tenant: { id, rootItemId: "" } });

const group = (name: string) => ({
  version: "1.0.0",
  operations: [{ intent: "customer/group/create", identifier: "vip", name }],
});

describe("a service in memory", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService(inMemory);
  });
  afterAll(() => service.stop());

  test.each<[ServiceOptions, string]>([
    [
      { dataDir: "data" },
      "memory and dataDir exclude each other: set one of them (LADING_MEMORY, LADING_DATA_DIR)",
    ],
    [
      { databaseUrl: "postgres://ann@127.0.0.1/shop" },
      "memory and databaseUrl exclude each other: set one of them (LADING_MEMORY, LADING_DATABASE_URL)",
    ],
    [{ role: "api" }, "role api needs a database URL"],
    [{ port: 65_536 }, "port is 65536; it must be a whole number from 0 to 65535"],
  ])("is refused with %j", async (options, message) => {
    await expect(startService({ ...inMemory, ...options })).rejects.toThrow(message);
  });

  test("refuses a tenant whose identifier is taken, or cannot be", async () => {
    await service.createTenant({ identifier: "taken" });
    await expect(service.createTenant({ identifier: "taken" })).rejects.toMatchObject({
      name: "TenantIdentifierTakenError",
      message: 'A tenant "taken" exists already',
    });
    const none = {} as { identifier: string };
    for (const input of [{ identifier: "A B" }, none])
      await expect(service.createTenant(input)).rejects.toMatchObject({ name: "ValidationError" });
  });

  test("runs the file of a tenant that was created by a call, as a neighbour does with its own", {
    tags: "release",
  }, async () => {
    const neighbour = await startService(inMemory);
    const runs = [service, neighbour].map(async (each, i) => {
      const tenant = await each.createTenant({ identifier: "shop", name: "Shop" });
      expect(tenant.url).toBe(`${each.url}/@shop`);
      const task = await runFile(clientOf(each, tenant), group(`group ${i}`));
      expect(task.progress).toMatchObject({ succeeded: 1, total: 1 });
      return tenant;
    });
    const [ofService, ofNeighbour] = await Promise.all(runs);
    expect(neighbour.operatorToken).not.toBe(service.operatorToken);
    await neighbour.stop();

    const name = `{ customerGroup(identifier: "vip") {
      ... on CustomerGroup { name } ... on BasicError { errorName } } }`;
    const client = clientOf(service, ofService as ServiceTenant);
    expect(await client.graphql(name)).toEqual({ customerGroup: { name: "group 0" } });
    const withForeignToken = clientOf(service, { ...(ofNeighbour as ServiceTenant) });
    await expect(withForeignToken.graphql(name)).rejects.toThrow();
  });

  test("stops once, however often it is called", async () => {
    expect(service.stop()).toBe(service.stop());
    await expect(service.createTenant({ identifier: "late" })).rejects.toThrow("The service was stopped");
    await service.stop();
    await expect(fetch(service.url)).rejects.toThrow("fetch failed");
  });

  test("refuses a port that is taken, leaves no file, handler or exit code, and lets its process end", {
    tags: "release",
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), "lading-memory-"));
    const program = `
      const { startService } = await import(${JSON.stringify(import.meta.resolve("../../src/index.ts"))});
      const events = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection", "beforeExit"];
      const state = () => [process.umask(), ...events.map((name) => process.listenerCount(name))].join();
      const before = state();
      process.exitCode = 7;
      const service = await startService(${JSON.stringify(inMemory)});
      await service.createTenant({ identifier: "shop" });
      await startService({ ...${JSON.stringify(inMemory)}, port: Number(new URL(service.url).port) }).catch(({ message }) => console.log(message));
      await service.stop();
      console.log(state() === before);`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { cwd: folder, env: { TMPDIR: folder, HOME: folder }, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([7, ""]);
    expect(stdout).toMatch(
      /^Port \d+ of 127.0.0.1 is in use by another process \(EADDRINUSE\)\. .*\ntrue\n$/,
    );
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
