import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { executeCommand } from "../../packages/service/src/commands/execute.ts";
import { TenantGone } from "../../packages/service/src/errors.ts";
import { advanceCursor } from "../../packages/service/src/storage/bulk-tasks/advance-cursor.ts";
import { cancelUnended } from "../../packages/service/src/storage/bulk-tasks/cancel.ts";
import { claimTask } from "../../packages/service/src/storage/bulk-tasks/claims/claim.ts";
import {
  type Claim,
  LostClaim,
  whileHolding,
} from "../../packages/service/src/storage/bulk-tasks/claims/claimed-task.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { retriedTransaction } from "../../packages/service/src/storage/retry.ts";
import { storeIssues } from "../../packages/service/src/storage/task-details/issues.ts";
import { tenantById } from "../../packages/service/src/storage/tenants/find.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { closeTenantRow, deleteTenantRow } from "../../packages/service/src/storage/tenants/write.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { noteFetched } from "../../packages/service/src/tasks/fetched-images.ts";
import { issueAccessToken } from "../../packages/service/src/tenants/access-tokens.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { deleteTenant, finishDeletions } from "../../packages/service/src/tenants/delete.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import { validatedTask } from "../support/claims.ts";
import { overlapping } from "../support/concurrency/overlapping.ts";
import { productOperations } from "../support/concurrency/two-writers.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench, silent } from "../support/runner.ts";

describe.each(engines)("a tenant that is deleted, on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));

  const services = (database: Database = bench.database) => ({
    database,
    logger: silent,
    deleteFiles: bench.store.deleteAll,
  });
  const remove = (tenant: Tenant) => (database: Database) =>
    deleteTenant(services(database), tenant.identifier, operator);
  const write = (tenant: Tenant) => (database: Database) =>
    executeCommand({ ...bench, database }, { tenant, actor: operator }, "customer/upsert", {
      identifier: "ann",
    } as never);
  const put = async (tenant: Tenant) => {
    const key = newUploadKey(tenant.id, "a.json", "MASS_OPERATIONS");
    await bench.store.put(key, Readable.from([Buffer.from("{}")]), { maxBytes: 10 });
    return key;
  };
  /** One transaction of each kind that writes rows of a tenant, by database. */
  const writers: Record<string, (tenant: Tenant) => (database: Database) => Promise<unknown>> = {
    command: write,
    task: (tenant) => async (database) =>
      createTask({ ...bench, database }, tenant, { key: await put(tenant), autoStart: true }),
    token: (tenant) => (database) =>
      issueAccessToken(database, tenant, { name: "ci", role: "admin" }, operator),
    image: (tenant) => (database) =>
      noteFetched({ database, store: bench.store }, { tenantId: tenant.id, taskId: "t" }, newId()),
  };
  /** Stores a report on the file of a task that was just claimed. */
  const report = async (tenant: Tenant) => {
    await bench.start([], { tenant });
    const claim = (await claimTask(bench.database, "runner", 60_000))!;
    expect(claim.tenantId).toBe(tenant.id);
    const position = { line: null, column: null, offset: null };
    const found = { pointer: "", operationIndex: null, intent: null, ref: null, ...position };
    const issue = { severity: "error", code: "WrongType", message: "m", ...found } as const;
    return (database: Database) =>
      whileHolding(database, claim, (transaction) =>
        storeIssues(transaction, tenant.id, claim.taskId, [issue]),
      );
  };
  /** Counts the rows of a tenant, including its own row but not the audit trail. */
  const rows = async ({ id }: Tenant) => {
    const tables = await bench.database.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relkind = 'r' AND a.attname = 'tenant_id' AND c.relname <> 'audit_trail'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name} WHERE tenant_id = $1)`);
    const [row] = await bench.database.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM tenants WHERE id = $1) + ${counts.join(" + ")} AS count`,
      [id],
    );
    return Number(row?.count);
  };

  test("deleting a tenant waits for a write that is about to commit, and counts it", async () => {
    const tenant = await bench.newTenant();
    const [written] = await overlapping(bench.database, write(tenant), remove(tenant));
    expect(written).toMatchObject({ action: "created" });
    expect(await rows(tenant)).toBe(0);
  });

  test("writes that began before a deletion committed are refused after it", async () => {
    for (const [what, writer] of Object.entries({ ...writers, report })) {
      const tenant = await bench.newTenant();
      const writes = await writer(tenant);
      const late = (database: Database) => writes(database).catch((error) => error);
      const [, refused] = await overlapping(bench.database, remove(tenant), late);
      // The report's task may be cancelled by now.
      expect([TenantGone, LostClaim], what).toContain(refused?.constructor);
      expect(await rows(tenant), what).toBe(0);
    }
  });

  test("no foreign key references tenants, since each would be checked for every new row", async () => {
    const keys = await bench.database.query(
      "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confrelid = 'tenants'::regclass",
    );
    expect(keys).toEqual([]);
  });

  test("the row of a closed tenant stays until all its other rows are gone", async () => {
    const tenant = await bench.newTenant();
    await deleteTenant({ ...services(), over: () => true }, tenant.identifier, operator);
    // Its root folder and initial settings remain.
    await deleteTenantRow(bench.database, tenant.id);
    expect(await rows(tenant)).toBe(6);
    await finishDeletions(services());
    expect(await rows(tenant)).toBe(0);
  });

  test("a deleted tenant is gone and its name free from the first commit; any process removes the rest", async () => {
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
    for (const writer of Object.values(writers))
      await expect(writer(tenant)(bench.database)).rejects.toThrow(TenantGone);
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

  /** Steps of a claimed task that add to an hour, or an event. */
  const steps: Record<string, (database: Database, claim: Claim) => Promise<unknown>> = {
    "continues in another hour": async (database, claim) => {
      const before = "UPDATE bulk_tasks SET progressed_at = now() - interval '1 hour' WHERE id = $1";
      await bench.database.execute(before, [claim.taskId]);
      const batch = { found: 0, index: 1, offset: 1, lease: 60_000 };
      const executed = [{ status: "success", action: "created" }] as const;
      return retriedTransaction(database, (queries) => advanceCursor(queries, claim, { ...batch, executed }));
    },
    "is cancelled": (database, { tenantId, taskId: id }) =>
      cancelUnended(database, { tenantId, id, by: null, entry: undefined }),
  };

  test.each(Object.keys(steps))("a task that %s while its tenant is closed adds no row", async (step) => {
    const { id: tenantId } = await bench.newTenant();
    const taskId = await validatedTask(bench.database, tenantId);
    for (const sql of [
      "INSERT INTO webhooks (tenant_id, url, secret, key_id) VALUES ($1, 'https://example.com', '', 'k')",
      "UPDATE bulk_tasks SET owner = 'r', lease_until = now() + interval '1 hour' WHERE tenant_id = $1",
    ])
      await bench.database.execute(sql, [tenantId]);
    const close = (database: Database) =>
      database.transaction((transaction) => closeTenantRow(transaction, tenantId));
    const claim = { tenantId, taskId, owner: "r", epoch: 0 };
    await overlapping(bench.database, close, (database) => steps[step]!(database, claim));
    for (const table of ["operation_hours", "webhook_events"])
      expect(await bench.database.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [tenantId])).toEqual([]);
    await finishDeletions(services());
  });

  test("a deleted tenant keeps no file that an upload form stores later", async () => {
    const tenant = await bench.newTenant();
    const kept = await put(bench.tenant);
    await deleteTenant(services(), tenant.identifier, operator);
    const late = await put(tenant);
    await finishDeletions(services());
    expect(await bench.store.stat(late)).toBeUndefined();
    expect(await bench.store.stat(kept)).toBeDefined();
  });

  test("a tenant deleted while runners and others write leaves no row, and no error in the log", async () => {
    const tenant = await bench.newTenant();
    const lines: { level: number; msg: string }[] = [];
    const logger = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
    await bench.runner({ logger });
    const id = await bench.start(productOperations(3_000), { tenant });
    const untilRefused = async (write: (database: Database) => Promise<unknown>): Promise<unknown> => {
      for (let refused: unknown; ; await setImmediate()) {
        await write(bench.database).catch((error) => {
          // A new task's file may be deleted before the task is stored.
          if (error.name !== "UploadNotFoundError") refused = error;
        });
        if (refused !== undefined) return refused;
      }
    };
    const others = Object.values(writers).map((writer) => untilRefused(writer(tenant)));
    await bench.until(id, ({ progress }) => progress.processed > 0, tenant);

    await deleteTenant({ ...services(), logger }, tenant.identifier, operator);

    for (const refused of await Promise.all(others)) expect(refused).toBeInstanceOf(TenantGone);
    await bench.stopRunners();
    expect(await rows(tenant)).toBe(0);
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    expect(lines.map(({ msg }) => msg).join()).toMatch(/was cancelled, held|its tenant was deleted/);
  });
});
