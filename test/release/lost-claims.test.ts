import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../packages/service/src/index.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { logFaults, storedEntries } from "../support/logs/operation-log.ts";
import { eventually } from "../support/runner.ts";
import { finished, startFile } from "../support/service.ts";

const count = 2_500;
const file = {
  version: "1.0.0",
  operations: Array.from({ length: count }, (_, i) => ({
    intent: "customer/group/upsert",
    identifier: `g${i}`,
    name: "n",
  })),
};

const heldSessions = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND state = 'idle in transaction' AND pid <> pg_backend_pid()`;

describe("claims lost between flush and commit", () => {
  let dataDir: string;
  let fresh: FreshDatabase;
  let database: Database;
  let client: TenantClient;
  const services: RunningService[] = [];

  const start = async (
    role: "api" | "runner",
    lease = 1_000,
    faults?: Parameters<typeof startService>[1],
  ) => {
    const options = { port: 0, dataDir, databaseUrl: fresh.url, logLevel: "silent", role, lease };
    const service = await startService(options, faults);
    services.push(service);
    return service;
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "lading-lost-claims-"));
    fresh = await freshDatabase();
    database = openPostgres(fresh.url, { connections: 2 });
    const api = await start("api");
    client = tenantClient(api.url, "shop", await createTenant(api.url, api.operatorToken, "shop"));
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await database.close();
    await fresh.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Expects each operation to be logged once and to take effect once. */
  const expectAllOnce = async (id: string) => {
    const task = await finished(client, id);
    expect(task).toMatchObject({ status: "complete", progress: { processed: count, succeeded: count } });
    const tenantId = client.access.tenant.id;
    expect(await logFaults(database, tenantId)).toEqual([]);
    expect(await storedEntries(database, tenantId)).toHaveLength(count);
    const groups = "SELECT count(*) AS groups FROM customer_groups WHERE tenant_id = $1";
    expect(await database.query(groups, [tenantId])).toEqual([{ groups: count }]);
  };

  test("a frozen runner holds its locks for ten seconds, is replaced, and commits nothing when it wakes", async () => {
    const script = join(import.meta.dirname, "../support/programs/faulty-runner.ts");
    const child = fork(script, [dataDir, fresh.url, "3"]);
    await once(child, "message");
    const id = await startFile(client, file);
    const [message] = await once(child, "message");
    expect(message).toBe("committing");
    child.kill("SIGSTOP");
    expect(await database.query(heldSessions)).toHaveLength(1);
    await start("runner");
    await expectAllOnce(id);
    expect(await database.query(heldSessions)).toEqual([]);
    child.kill("SIGCONT");
    child.send("resume");
    // It notices, keeps running, and executes the next task or leaves it to the other runner.
    const second = await startFile(client, { version: "1.0.0", operations: file.operations.slice(0, 10) });
    expect(await finished(client, second)).toMatchObject({ status: "complete", progress: { succeeded: 10 } });
    expect(child.exitCode).toBe(null);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect((await finished(client, id)).progress.processed).toBe(count);
  });

  test("a runner whose connection is cut rolls back and repeats the batch", async () => {
    let cut = 0;
    let commits = 0;
    const at = async (point: string) => {
      if (point !== "before commit" || ![2, 3, 5].includes(++commits)) return;
      const killed = await database.query(
        heldSessions.replace("SELECT pid", "SELECT pg_terminate_backend(pid)"),
      );
      cut += killed.length;
    };
    await start("runner", 1_000, { faults: { at } });
    await expectAllOnce(await startFile(client, file));
    expect(cut).toBeGreaterThanOrEqual(3);
  });
});

test("eight runners started together execute each tenant's tasks once, one at a time and in order", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "lading-eight-"));
  const fresh = await freshDatabase();
  const database = openPostgres(fresh.url, { connections: 2 });
  const options = { port: 0, dataDir, databaseUrl: fresh.url, logLevel: "silent" };
  const api = await startService({ ...options, role: "api" });
  const clients = [];
  for (const name of ["one", "two", "three"])
    clients.push(tenantClient(api.url, name, await createTenant(api.url, api.operatorToken, name)));
  const tasks: [TenantClient, string][] = [];
  for (let round = 0; round < 3; round++)
    for (const client of clients)
      tasks.push([
        client,
        await startFile(client, { version: "1.0.0", operations: file.operations.slice(0, 300) }),
      ]);
  const runners = await Promise.all(
    Array.from({ length: 8 }, () => startService({ ...options, role: "runner" })),
  );
  for (const [client, id] of tasks)
    expect((await finished(client, id)).progress).toMatchObject({ processed: 300, succeeded: 300 });
  const overlapping = await database.query(
    `SELECT a.id FROM bulk_tasks a JOIN bulk_tasks b ON b.tenant_id = a.tenant_id AND b.start_order > a.start_order
     WHERE b.running_at < a.ended_at`,
  );
  expect(overlapping).toEqual([]);
  for (const client of clients) {
    const tenantId = client.access.tenant.id;
    expect(await logFaults(database, tenantId)).toEqual([]);
    expect(await storedEntries(database, tenantId)).toHaveLength(300 * 3);
  }
  await Promise.all([api, ...runners].map((service) => service.stop()));
  await eventually(
    () => database.query("SELECT id FROM bulk_tasks WHERE owner IS NOT NULL"),
    (rows) => rows.length === 0,
  );
  await database.close();
  await fresh.drop();
  await rm(dataDir, { recursive: true, force: true });
});
