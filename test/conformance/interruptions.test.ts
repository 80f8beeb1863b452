import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startWorker } from "../../packages/service/src/runner/schedule/worker.ts";
import { claimTask } from "../../packages/service/src/storage/bulk-tasks/claims/claim.ts";
import { wakeRunners } from "../../packages/service/src/storage/bulk-tasks/wake.ts";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { sqlStates } from "../../packages/service/src/storage/sql-states.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { findTask } from "../../packages/service/src/tasks/find.ts";
import { listLogs } from "../../packages/service/src/tasks/logs.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import type { ObjectStore } from "../../packages/service/src/uploads/object-store.ts";
import { engines } from "../support/engines.ts";
import { imageFetcher } from "../support/images/fetcher.ts";
import { blockInsert } from "../support/logs/operation-log.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });

describe.each(engines)("interruptions on $name", ({ open }) => {
  let database: Database;
  let folder: string;
  let store: ObjectStore;
  let tenant: Tenant;
  beforeEach(async () => {
    database = await open();
    folder = await mkdtemp(join(tmpdir(), "lading-interruptions-"));
    store = await openFileStore(folder);
    tenant = (await createTenant(database, { identifier: "acme" })).tenant;
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(operations: object[]) {
    const key = newUploadKey(tenant.id, "file.json", "MASS_OPERATIONS");
    const text = JSON.stringify({ version: "1.0.0", operations });
    await store.put(key, [Buffer.from(text)] as never, { maxBytes: 100_000_000 });
    const { id } = await createTask({ database, store }, tenant, { key, autoStart: true });
    return id;
  }
  async function ended(id: string, timeout: number) {
    const until = Date.now() + timeout;
    for (;;) {
      const task = await findTask(database, tenant.id, id);
      if (task?.status === "complete" || task?.status === "error" || Date.now() > until) return task;
      await wakeRunners(database);
      await pause(20);
    }
  }
  const logger = pino({ level: "silent" });
  const worker = (db: Database, lease: number, objects = store) =>
    startWorker({ database: db, store: objects, images: imageFetcher(store), logger, lease, slots: 1 });
  /** Delays matching calls of `execute` in transactions. */
  const slowed = (pattern: RegExp, ms: number): Database => ({
    ...database,
    transaction: (work) =>
      database.transaction((inner) =>
        work({
          ...inner,
          execute: async (sql, p) => {
            const done = await inner.execute(sql, p);
            if (pattern.test(sql)) await pause(ms);
            return done;
          },
        }),
      ),
  });

  test("a batch longer than the heartbeat interval succeeds", async () => {
    const stop = await worker(slowed(blockInsert, 450), 600);
    const id = await start([group("a"), group("b")]);
    const task = await ended(id, 5_000);
    await stop();
    expect(task).toMatchObject({ status: "complete", progress: { processed: 2 } });
  });

  test("a validation succeeds with a transaction longer than the heartbeat interval", async () => {
    const stop = await worker(slowed(/bulk_task_references/, 450), 600);
    const id = await start([{ ...group("a"), _ref: "a" }, group("{{ a.identifier }}")]);
    const task = await ended(id, 5_000);
    await stop();
    expect(task).toMatchObject({ status: "complete" });
  });

  test("stopping does not wait for a long validation to end", async () => {
    let pieces = 0;
    const slow: ObjectStore = {
      ...store,
      async *read(key, options) {
        for await (const chunk of store.read(key, options)) {
          for (let i = 0; i < chunk.length; i += 1000) {
            await pause(20);
            pieces += 1;
            yield chunk.subarray(i, i + 1000);
          }
        }
      },
    };
    const stop = await worker(database, 60_000, slow);
    const id = await start(Array.from({ length: 4_000 }, (_, i) => group(`g${i}`)));
    await expect.poll(() => pieces, { timeout: 30_000 }).toBeGreaterThan(10);
    const readBefore = pieces;
    await stop();
    expect(pieces - readBefore).toBeLessThan(50);
    expect(await claimTask(database, "next", 60_000)).toMatchObject({ taskId: id, attempts: 1 });
  });

  /** Delays claims until the runner stops. */
  const lateClaim = (): Database => ({
    ...database,
    query: async (sql, p) => {
      const rows = await database.query(sql, p);
      if (/UPDATE bulk_tasks/.test(sql)) await pause(100);
      return rows as never;
    },
  });

  test("a claim that arrives while the runner stops is released", async () => {
    const id = await start([group("a")]);
    const stop = await worker(lateClaim(), 60_000);
    await pause(40);
    await stop();
    const [row] = await database.query("SELECT owner, attempts FROM bulk_tasks WHERE id = $1", [id]);
    expect(row).toEqual({ owner: null, attempts: 0 });
  });

  test("a released task keeps the attempt of a runner that claims it during the wake-up", async () => {
    const claimsLate = lateClaim();
    const late: Database = {
      ...claimsLate,
      query: async (sql, p) => {
        if (!/pg_notify/.test(sql)) return claimsLate.query(sql, p);
        await claimTask(database, "next", 60_000);
        throw Object.assign(new Error("the connection ended"), { code: sqlStates.connectionFailure });
      },
    };
    const id = await start([group("a")]);
    const stop = await worker(late, 60_000);
    await pause(40);
    await stop();
    await claimTask(database, "next", 60_000);
    const [row] = await database.query("SELECT owner, attempts FROM bulk_tasks WHERE id = $1", [id]);
    expect(row).toEqual({ owner: "next", attempts: 1 });
  });

  test("a runner recovers after all its connections were closed", async ({ skip }) => {
    if (database.engine === "pglite") skip();
    const stop = await worker(slowed(blockInsert, 300), 600);
    const id = await start([group("a"), group("b")]);
    for (let n = 0; n < 3; n++) {
      await pause(250);
      await database
        .query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .catch(() => {});
    }
    const task = await ended(id, 10_000);
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await pause(50);
    await stop();
    expect(task).toMatchObject({ status: "complete", progress: { succeeded: 2 } });
  });

  test("claims lost repeatedly, as on a machine that sleeps, fail no operation", async () => {
    let losses = 0;
    const transaction: typeof database.transaction = async (work, turn) => {
      const ended = `UPDATE bulk_tasks SET epoch = epoch + 1, lease_until = now() WHERE status = 'running'`;
      if (losses < 4) losses += await database.execute(ended);
      return await database.transaction(work, turn);
    };
    const stop = await worker({ ...database, transaction }, 60_000);
    const id = await start([group("a"), group("b")]);
    const task = await ended(id, 10_000);
    await stop();
    expect(losses).toBe(4);
    expect(task).toMatchObject({ status: "complete", progress: { succeeded: 2 } });
  });

  test("a claim lost between two batches fails no operation", async () => {
    let losses = 0;
    const slow: ObjectStore = {
      ...store,
      read: async function* (...parameters: Parameters<ObjectStore["read"]>) {
        const taken = `UPDATE bulk_tasks SET epoch = epoch + 1, lease_until = now() WHERE status = 'running'`;
        if (losses < 4 && (await database.execute(taken)) > 0) {
          losses++;
          await pause(200); // a heartbeat sees it
        }
        yield* store.read(...parameters);
      },
    };
    const stop = await worker(database, 300, slow);
    const id = await start([group("a"), group("b")]);
    const task = await ended(id, 10_000);
    await stop();
    expect(losses).toBe(4);
    expect(task).toMatchObject({ status: "complete", progress: { succeeded: 2 } });
  });

  test("an outage of the database fails no operation", async () => {
    let failures = 0;
    const away: Database = {
      ...database,
      transaction: (work) =>
        database.transaction((inner: Queries) =>
          work({
            ...inner,
            execute: async (sql, p) => {
              if (blockInsert.test(sql) && failures++ < 4)
                throw Object.assign(new Error("connect ECONNREFUSED"), {
                  code: "ECONNREFUSED",
                  syscall: "connect",
                });
              return inner.execute(sql, p);
            },
          }),
        ),
    };
    const stop = await worker(away, 150);
    const id = await start([group("a"), group("b")]);
    const task = await ended(id, 10_000);
    await stop();
    const { nodes } = await listLogs(database, tenant.id, { operationId: id }, { first: 10 });
    expect(nodes.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(task?.status).toBe("complete");
  });
});
