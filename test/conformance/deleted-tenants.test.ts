import { Readable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executeCommand } from "../../packages/service/src/commands/execute.ts";
import { TenantGone } from "../../packages/service/src/errors.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { tenantById } from "../../packages/service/src/storage/tenants/find.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { tablesOfTenants } from "../../packages/service/src/storage/tenants/tenants.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { noteFetched } from "../../packages/service/src/tasks/fetched-images.ts";
import { issueAccessToken } from "../../packages/service/src/tenants/access-tokens.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { deleteTenant, finishDeletions } from "../../packages/service/src/tenants/delete.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import { overlapping } from "../support/concurrency/overlapping.ts";
import { productOperations } from "../support/concurrency/two-writers.ts";
import { engines } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench, silent } from "../support/runner.ts";

describe.each(engines)("a tenant that is deleted, on $name", ({ open }) => {
  let bench: RunnerBench;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
  });
  afterAll(() => bench.close());

  const services = (database: Database = bench.database) => ({
    database,
    logger: silent,
    deleteFiles: bench.store.deleteAll,
  });
  const remove = (tenant: Tenant) => (database: Database) =>
    deleteTenant(services(database), tenant.identifier, operator);
  const write = (tenant: Tenant) => (database: Database) =>
    executeCommand({ ...bench, database }, tenant, "customer/upsert", { identifier: "ann" } as never).catch(
      (error) => error,
    );
  const put = async (tenant: Tenant) => {
    const key = newUploadKey(tenant.id, "a.json", "MASS_OPERATIONS");
    await bench.store.put(key, Readable.from([Buffer.from("{}")]), { maxBytes: 10 });
    return key;
  };
  /** Counts the rows of a tenant, including its own row but not the audit trail. */
  const rows = async ({ id }: Tenant) => {
    const tables = await tablesOfTenants(bench.database);
    const counts = tables.map((table) => `(SELECT count(*) FROM ${table} WHERE tenant_id = $1)`);
    const [row] = await bench.database.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM tenants WHERE id = $1) + ${counts.join(" + ")} AS count`,
      [id],
    );
    return Number(row?.count);
  };

  test("the deletion of a tenant waits for a write that is about to commit, which counts", async () => {
    const tenant = await bench.newTenant();
    const [written] = await overlapping(bench.database, write(tenant), remove(tenant));
    expect(written).toMatchObject({ action: "created" });
    expect(await rows(tenant)).toBe(0);
  });

  test("the deletion of a tenant refuses every write that began before its commit and ends after it", async () => {
    const begin: Record<string, (tenant: Tenant) => (database: Database) => Promise<unknown>> = {
      command: write,
      task: (tenant) => async (database) =>
        createTask({ ...bench, database }, tenant, { key: await put(tenant), autoStart: true }),
      token: (tenant) => (database) =>
        issueAccessToken(database, tenant, { name: "ci", role: "admin" }, operator),
    };
    for (const [what, writer] of Object.entries(begin)) {
      const tenant = await bench.newTenant();
      const late = (database: Database) => writer(tenant)(database).catch((error) => error);
      const [, refused] = await overlapping(bench.database, remove(tenant), late);
      expect(refused, what).toBeInstanceOf(TenantGone);
      expect(await rows(tenant), what).toBe(0);
    }
  });

  test("a deleted tenant is gone, and its name free, from the first commit; any finder removes the rest", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const id = await bench.start(productOperations(60), { tenant });
    await bench.ended(id, tenant);
    await bench.stopRunners();
    await bench.start(productOperations(2), { tenant });
    const key = await put(tenant);
    const crash = { ...services(), over: () => true };

    await deleteTenant(crash, tenant.identifier, operator);

    expect(await rows(tenant)).toBeGreaterThan(100);
    await expect(tenantById(bench.database, tenant.id)).rejects.toThrow(TenantGone);
    expect(await write(tenant)(bench.database)).toBeInstanceOf(TenantGone);
    const fetched = { tenantId: tenant.id, taskId: id };
    await expect(noteFetched(bench.database, fetched, "key")).rejects.toThrow(TenantGone);
    await expect(deleteTenant(services(), tenant.identifier, operator)).rejects.toThrow("There is no tenant");
    const [open] = await bench.database.query(
      "SELECT FROM bulk_tasks WHERE tenant_id = $1 AND ended_at IS NULL",
      [tenant.id],
    );
    expect(open).toBeUndefined();
    const { tenant: next } = await createTenant(bench.database, { identifier: tenant.identifier });
    expect(await bench.store.stat(key)).toBeDefined();

    await finishDeletions(services());

    expect(await rows(tenant)).toBe(0);
    expect(await bench.store.stat(key)).toBeUndefined();
    expect(await rows(next)).toBeGreaterThan(1);
  });

  test("a deleted tenant keeps no file from a form that its store accepted later", async () => {
    const tenant = await bench.newTenant();
    const kept = await put(bench.tenant);
    await deleteTenant(services(), tenant.identifier, operator);
    const late = await put(tenant);
    await finishDeletions(services());
    expect(await bench.store.stat(late)).toBeUndefined();
    expect(await bench.store.stat(kept)).toBeDefined();
  });

  test("a runner drops a deleted tenant without logging an error", async () => {
    const tenant = await bench.newTenant();
    const lines: { level: number; msg: string }[] = [];
    const logger = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
    await bench.runner({ logger });
    const id = await bench.start(productOperations(3_000), { tenant });
    await bench.until(id, ({ progress }) => progress.processed > 0, tenant);

    await deleteTenant({ ...services(), logger }, tenant.identifier, operator);

    await bench.stopRunners();
    expect(await rows(tenant)).toBe(0);
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    expect(lines.map(({ msg }) => msg).join()).toMatch(/cancelled, or taken over|its tenant was deleted/);
  });
});
