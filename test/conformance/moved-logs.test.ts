import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import {
  dropOldLogs,
  hasOldLogs,
  moveOldLogs,
  type OldLogPosition,
} from "../../packages/service/src/storage/task-details/move-old-logs.ts";
import type { LogFilter, LogKey } from "../../packages/service/src/storage/task-details/operation-logs.ts";
import { listStoredLogs, readLogEntries } from "../../packages/service/src/storage/task-details/read-logs.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { logPageBytes } from "../../packages/service/src/tasks/logs.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { deleteTenant } from "../../packages/service/src/tenants/delete.ts";
import { freshDatabase } from "../support/database.ts";
import { engines, openTestPostgres } from "../support/engines.ts";
import { addOldLogs, createOldLogs } from "../support/logs/old-logs.ts";
import { logFaults } from "../support/logs/operation-log.ts";
import { eventually, openRunnerBench, type RunnerBench, silent } from "../support/runner.ts";

describe.each(engines)("moving the log of earlier versions, on $name", ({ open }) => {
  let bench: RunnerBench;
  let database: Database;
  let tenant: Tenant;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    // What is known of the table is kept for each database object, and here every test has a table of its own.
    database = { ...bench.database };
    await database.script("DROP TABLE IF EXISTS operation_logs");
    await createOldLogs(database);
    tenant = await bench.newTenant();
  });

  /** A task with so many entries in the old table, as far as its cursor is. */
  async function oldTask(entries: number, of = tenant): Promise<LogKey> {
    const key = { tenantId: of.id, taskId: await bench.start([], { tenant: of }) };
    await addOldLogs(database, key, 0, entries);
    const failed = Math.floor(entries / 10);
    await database.execute(
      `UPDATE bulk_tasks SET status = 'error', ended_at = now(), error = 'x', error_name = 'x',
         cursor_index = $2, succeeded = $2::int - $3::int, created = $2::int - $3::int, failed = $3 WHERE id = $1`,
      [key.taskId, entries, failed],
    );
    return key;
  }

  const list = (queries: Queries, { tenantId, taskId }: LogKey, filter: Partial<LogFilter> = {}) =>
    listStoredLogs(
      queries,
      tenantId,
      { operationId: taskId, ...filter },
      { first: 1_000 },
      { bytes: logPageBytes },
    );

  /** All that is read of a log: whole, by filters, counted, and by number. */
  async function reads(key: LogKey) {
    const whole = await list(database, key);
    const failures = await list(database, key, { status: "failure" });
    const created = await list(database, key, { action: "created", operationTypeStartsWith: "customer/" });
    const counts = await Promise.all([whole, failures, created].map((page) => page.totalCount()));
    const some = await readLogEntries(database, key, [0, 9, 99, 100, 250]);
    return {
      pages: [whole.nodes, failures.nodes, created.nodes],
      counts,
      some: [0, 9, 99, 100, 250].map((index) => some.get(index)),
    };
  }

  /** Moves all that can be moved; `each` is called after each portion. */
  async function moveAll(each: () => Promise<void> = async () => {}): Promise<number> {
    let after: OldLogPosition | undefined;
    for (let entries = 0; ; ) {
      const moved = await moveOldLogs(database, after);
      if (moved === undefined) return entries;
      entries += moved.entries;
      after = moved.end;
      await each();
    }
  }

  const left = async ({ taskId }: LogKey) =>
    (
      await database.query<{ index: number }>(
        "SELECT index FROM operation_logs WHERE task_id = $1 ORDER BY index",
        [taskId],
      )
    ).map(({ index }) => index);

  test("logs read the same before, after each portion and when the table is gone", async () => {
    const keys = [await oldTask(251), await oldTask(3), await oldTask(120, await bench.newTenant())];
    const before = await Promise.all(keys.map(reads));
    expect(before.map(({ counts }) => counts)).toEqual([
      [251, 25, 226],
      [3, 0, 3],
      [120, 12, 108],
    ]);
    let portions = 0;
    const moved = await moveAll(async () => {
      portions++;
      expect(await Promise.all(keys.map(reads))).toEqual(before);
    });
    expect([moved, portions]).toEqual([374, 5]);
    for (const { tenantId } of keys) expect(await logFaults(database, tenantId)).toEqual([]);
    expect(await hasOldLogs(database)).toBe(true);
    expect(await dropOldLogs(database)).toBe("dropped");
    expect(await hasOldLogs(database)).toBe(false);
    expect(await Promise.all(keys.map(reads))).toEqual(before);
    expect(await moveOldLogs(database, undefined)).toBeUndefined();
    expect(await dropOldLogs(database)).toBe("gone");
  });

  test("inputs keep their bytes, durations their fractions, and failures get their cause", async () => {
    const key = await oldTask(2);
    const input = `{ "a" : 1.50e1,\\n "b":"ü\\\\u001e" }`.replaceAll("\\n", "\n").replaceAll("\\\\", "\\");
    await database.execute(
      `UPDATE operation_logs SET input = $2, duration_ms = 0.1234567, status = 'failure', action = NULL,
         message = 'No "tea" (operations[0], /a)', error_name = 'TemplateError',
         errors = '[{"code":"Template","message":"No \\"tea\\"","path":["a"]}]'
       WHERE task_id = $1 AND index = 0`,
      [key.taskId, input],
    );
    await database.execute("UPDATE bulk_tasks SET failed = 1, succeeded = 1, created = 1 WHERE id = $1", [
      key.taskId,
    ]);
    const before = await list(database, key);
    await moveAll();
    expect((await list(database, key)).nodes).toEqual(before.nodes);
    expect(await logFaults(database, key.tenantId)).toEqual([]);
    const [block] = await database.query<{ entries: Uint8Array }>(
      "SELECT entries FROM operation_log_blocks WHERE task_id = $1",
      [key.taskId],
    );
    expect(zstdDecompressSync(block!.entries).toString()).toContain(`"input":${input}}`);
    const [failure] = await database.query("SELECT * FROM operation_log_failures WHERE task_id = $1", [
      key.taskId,
    ]);
    expect(failure).toMatchObject({
      index: 0,
      status: "failure",
      error_name: "TemplateError",
      cause: 'No "…"',
    });
  });

  test("a portion of large entries is smaller", async () => {
    const key = await oldTask(6);
    await database.execute(
      "UPDATE operation_logs SET input = to_json(repeat(md5(index::text), 200000)) WHERE task_id = $1",
      [key.taskId],
    );
    const before = await list(database, key);
    let portions = 0;
    await moveAll(async () => {
      portions++;
    });
    expect(portions).toBeGreaterThan(1);
    expect((await list(database, key)).nodes).toEqual(before.nodes);
  });

  test("a portion that is not committed leaves all where it was", async () => {
    const key = await oldTask(150);
    const before = await reads(key);
    const dying: Database = {
      ...database,
      transaction: (work, turns) =>
        database.transaction(async (transaction) => {
          await work(transaction);
          throw new Error("killed");
        }, turns),
    };
    await expect(moveOldLogs(dying, undefined)).rejects.toThrow("killed");
    expect(await left(key)).toHaveLength(150);
    expect(await reads(key)).toEqual(before);
    await moveAll();
    expect(await logFaults(database, key.tenantId)).toEqual([]);
    expect(await reads(key)).toEqual(before);
  });

  test("two that move at the same time move each entry once", async () => {
    const keys = [await oldTask(730), await oldTask(55)];
    const before = await Promise.all(keys.map(reads));
    const moved = await Promise.all([moveAll(), moveAll()]);
    expect(moved[0] + moved[1]).toBe(785);
    expect(await logFaults(database, tenant.id)).toEqual([]);
    expect(await Promise.all(keys.map(reads))).toEqual(before);
  });

  test("a task that is pruned meanwhile leaves nothing, and others keep their log", async () => {
    const pruned = await oldTask(1_500);
    const kept = await oldTask(700);
    await database.execute("UPDATE bulk_tasks SET ended_at = now() - interval '40 days' WHERE id = $1", [
      pruned.taskId,
    ]);
    const before = await reads(kept);
    const [{ entries }] = await Promise.all([
      pruneTasks({ ...bench, database }, { olderThanDays: 30 }),
      moveAll(),
    ]);
    expect(entries).toBe(1_500);
    for (const table of ["operation_logs", "operation_log_blocks", "operation_log_failures"])
      expect(await database.query(`SELECT FROM ${table} WHERE task_id = $1`, [pruned.taskId])).toEqual([]);
    expect(await reads(kept)).toEqual(before);
    expect(await logFaults(database, kept.tenantId)).toEqual([]);
  });

  test("a tenant that is deleted meanwhile leaves nothing", async () => {
    await oldTask(1_200);
    const kept = await oldTask(300, await bench.newTenant());
    const services = { database, logger: silent, deleteFiles: async () => {} };
    await Promise.all([deleteTenant(services, tenant.identifier, operator), moveAll(), moveAll()]);
    for (const table of ["operation_logs", "operation_log_blocks", "operation_log_failures", "tenants"])
      expect(
        await database.query(`SELECT FROM ${table} WHERE ${table === "tenants" ? "id" : "tenant_id"} = $1`, [
          tenant.id,
        ]),
      ).toEqual([]);
    expect(await logFaults(database, kept.tenantId)).toEqual([]);
    expect(await dropOldLogs(database)).toBe("dropped");
  });

  test("entries of a tenant that is being deleted are left to that, and those of one that is gone are deleted", async () => {
    const closed = await bench.newTenant();
    const waiting = await oldTask(30, closed);
    const kept = await oldTask(30);
    await addOldLogs(database, { tenantId: "0".repeat(24), taskId: "0".repeat(24) }, 0, 130);
    await database.execute("UPDATE tenants SET identifier = NULL WHERE id = $1", [closed.id]);
    await moveAll();
    expect(await left(waiting)).toHaveLength(30);
    expect(await database.query("SELECT DISTINCT tenant_id FROM operation_logs")).toHaveLength(1);
    expect(
      await database.query("SELECT FROM operation_log_blocks WHERE tenant_id = ANY($1)", [
        [closed.id, "0".repeat(24)],
      ]),
    ).toEqual([]);
    expect(await logFaults(database, kept.tenantId)).toEqual([]);
    expect(await dropOldLogs(database)).toBe("filled");
  });
});

describe("moving the log of earlier versions beside others, on PostgreSQL", () => {
  const services = { logger: silent, deleteFiles: async () => {} };
  test.each<[string, (bench: RunnerBench, database: Database) => Promise<unknown>]>([
    [
      "the deletion of its tenant",
      (bench, database) => deleteTenant({ ...services, database }, bench.tenant.identifier, operator),
    ],
    ["pruning", (bench, database) => pruneTasks({ ...bench, database }, { olderThanDays: 30 })],
  ])("%s waits for a portion that is about to be committed, and leaves nothing", async (_, remove) => {
    const bench = await openRunnerBench(openTestPostgres);
    onTestFinished(() => bench.close());
    const database = { ...bench.database };
    await createOldLogs(database);
    const key = { tenantId: bench.tenant.id, taskId: await bench.start([]) };
    await addOldLogs(database, key, 0, 250);
    await database.execute(
      `UPDATE bulk_tasks SET status = 'error', ended_at = now() - interval '40 days', error = 'x', error_name = 'x'
       WHERE id = $1`,
      [key.taskId],
    );
    const moved = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const held: Database = {
      ...database,
      transaction: (work, turns) =>
        database.transaction(async (transaction) => {
          const result = await work(transaction);
          moved.resolve();
          await commit.promise;
          return result;
        }, turns),
    };
    const moving = moveOldLogs(held, undefined);
    await moved.promise;
    const removing = remove(bench, database);
    await Promise.race([
      removing,
      eventually(
        () => database.query("SELECT FROM pg_locks WHERE NOT granted"),
        (waiting) => waiting.length > 0,
      ),
    ]);
    commit.resolve();
    await Promise.all([moving, removing]);
    for (const table of ["operation_logs", "operation_log_blocks", "operation_log_failures"])
      expect(await database.query(`SELECT FROM ${table}`)).toEqual([]);
  });

  test("while somebody reads the emptied table others do not wait for that one, and it is dropped later", async () => {
    const fresh = await freshDatabase();
    const [reader, dropper] = [openPostgres(fresh.url), openPostgres(fresh.url)];
    await createOldLogs(reader);
    const read = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const reading = reader.transaction(async (transaction) => {
      await transaction.query("SELECT FROM operation_logs");
      read.resolve();
      await done.promise;
    });
    await read.promise;
    const dropping = dropOldLogs(dropper);
    // It is behind the one that drops, and not behind the one that reads.
    await eventually(
      () => reader.query("SELECT FROM pg_locks WHERE NOT granted"),
      (waiting) => waiting.length > 0,
    );
    await reader.query("SELECT FROM operation_logs");
    expect(await dropping).toBe("busy");
    done.resolve();
    await reading;
    expect(await dropOldLogs(dropper)).toBe("dropped");
    await Promise.all([reader.close(), dropper.close()]);
    await fresh.drop();
  });
});
