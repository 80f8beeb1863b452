import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import type { LogEntry, LogFilter } from "../../packages/service/src/storage/task-details/operation-logs.ts";
import { listStoredLogs, readLogEntries } from "../../packages/service/src/storage/task-details/read-logs.ts";
import { writeLogs } from "../../packages/service/src/storage/task-details/write-logs.ts";
import { deleteTenantRows } from "../../packages/service/src/storage/tenants/tenant-rows.ts";
import { logPageBytes } from "../../packages/service/src/tasks/logs.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { engines } from "../support/engines.ts";
import { addOldLogs, createOldLogs } from "../support/logs/old-logs.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

const entry = (index: number): LogEntry => ({
  index,
  ref: `ref-${index}`,
  intent: "customer/upsert",
  ...(index % 10 === 9
    ? { status: "failure", statusCode: 400, action: null, message: "No", cause: "No" }
    : { status: "success", statusCode: 200, action: "created", message: null, cause: null }),
  errorName: null,
  input: `{"n":${index}}`,
  place: { offset: 0, length: 1 },
  rendered: null,
  output: { n: index },
  errors: null,
  startedAt: "2026-01-02T03:04:05.000Z",
  durationMs: 1,
});

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const failed = (index: number) => index % 10 === 9;

describe.each(engines)(
  "logs of which some are still in the table of earlier versions, on $name",
  ({ open }) => {
    let bench: RunnerBench;
    let database: Database;
    /** Blocks from 0 to 100 and from 250 on; the old table has those between, and some that are in a block too. */
    let key: { tenantId: string; taskId: string };
    const total = 400;

    beforeAll(async () => {
      bench = await openRunnerBench(open);
      ({ database } = bench);
      await createOldLogs(database);
      key = { tenantId: bench.tenant.id, taskId: await bench.start([]) };
      await writeLogs(database, key, { first: 0, end: 100 }, numbers(0, 100).map(entry));
      await addOldLogs(database, key, 100, 250);
      await writeLogs(database, key, { first: 250, end: total }, numbers(250, total).map(entry));
    });
    afterAll(() => bench.close());

    /** The numbers of all entries, read in pages of so many. */
    async function readAll(first: number, filter: Partial<LogFilter> = {}, bytes = logPageBytes) {
      const seen: number[] = [];
      for (let after: string | null = null; ; ) {
        const whole = { operationId: key.taskId, ...filter };
        const page = await listStoredLogs(database, key.tenantId, whole, { first, after }, { bytes });
        expect(page.nodes.length).toBeLessThanOrEqual(first);
        seen.push(...page.nodes.map(({ index }) => index));
        after = page.cursors.at(-1) ?? null;
        if (!page.hasNextPage) return { seen, totalCount: await page.totalCount() };
      }
    }

    test.each([1, 7, 50, 99, 1_000])("pages of %i entries have each entry once, in order", async (first) => {
      expect(await readAll(first)).toEqual({ seen: numbers(0, total), totalCount: total });
    });

    test.each([1, 3, 1_000])("pages of %i failures have each of them once", async (first) => {
      const seen = numbers(0, total).filter(failed);
      expect(await readAll(first, { status: "failure" })).toEqual({ seen, totalCount: seen.length });
    });

    test("an entry must match every filter", async () => {
      const rest = numbers(0, total).filter((index) => !failed(index));
      expect((await readAll(60, { action: "created" })).seen).toEqual(rest);
      expect((await readAll(60, { action: "created", operationTypeStartsWith: "order/" })).seen).toEqual([]);
      expect((await readAll(60, { status: "failure", operationTypeStartsWith: "customer/" })).seen).toEqual(
        numbers(0, total).filter(failed),
      );
      expect((await readAll(60, { status: "partial" })).seen).toEqual([]);
      expect((await readAll(7, { statusCode: 400 })).seen).toEqual(numbers(0, total).filter(failed));
      expect((await readAll(60, { statusCode: 404 })).seen).toEqual([]);
    });

    test("a cause is asked for of entries in blocks only", async () => {
      const moved = numbers(0, total).filter((index) => failed(index) && (index < 100 || index >= 250));
      const asked = await readAll(60, { cause: "No" });
      expect(asked).toEqual({ seen: moved, totalCount: moved.length });
    });

    test("pages that end for their bytes leave nothing out", async () => {
      expect((await readAll(1_000, {}, 2_000)).seen).toEqual(numbers(0, total));
    });

    test("entries are read by their numbers from both", async () => {
      const entries = await readLogEntries(database, key, [3, 120, 399, 4_000]);
      expect([...entries.values()].map(({ index, ref }) => [index, ref]).sort()).toEqual([
        [120, "ref-120"],
        [3, "ref-3"],
        [399, "ref-399"],
      ]);
    });

    test("entries that are moved into a block between two statements of a page are on it once", async () => {
      let moved = false;
      const moving: Queries = {
        execute: database.execute,
        query: async (sql, parameters) => {
          const rows = await database.query<never>(sql, parameters);
          if (!moved && sql.includes("FROM operation_logs")) {
            moved = true;
            await database.transaction(async (transaction) => {
              const range = "task_id = $1 AND index BETWEEN 100 AND 199";
              await transaction.execute(`DELETE FROM operation_logs WHERE ${range}`, [key.taskId]);
              await writeLogs(transaction, key, { first: 100, end: 200 }, numbers(100, 200).map(entry));
            });
          }
          return rows;
        },
      };
      const filter = { operationId: key.taskId };
      const page = await listStoredLogs(
        moving,
        key.tenantId,
        filter,
        { first: 1_000 },
        { bytes: logPageBytes },
      );
      expect(page.nodes.map(({ index }) => index)).toEqual(numbers(0, total));
      expect(await page.totalCount()).toBe(total);
    });

    test("a page of failures whose blocks are gone meanwhile is empty", async () => {
      const other = { ...key, taskId: await bench.start([]) };
      await writeLogs(database, other, { first: 0, end: 40 }, numbers(0, 40).map(entry));
      await database.execute("DELETE FROM operation_log_blocks WHERE task_id = $1", [other.taskId]);
      await writeLogs(database, other, { first: 40, end: 60 }, numbers(40, 60).map(entry));
      await database.execute("UPDATE operation_log_blocks SET first_index = 0 WHERE task_id = $1", [
        other.taskId,
      ]);
      const filter = { operationId: other.taskId, status: "failure" } as const;
      const page = await listStoredLogs(
        database,
        key.tenantId,
        filter,
        { first: 2 },
        { bytes: logPageBytes },
      );
      expect(page.nodes.map(({ index }) => index)).toEqual([49, 59]);
    });

    test("pruning removes the entries from both", async () => {
      const other = { tenantId: bench.tenant.id, taskId: await bench.start([]) };
      await addOldLogs(database, other, 0, 5_500);
      await writeLogs(database, other, { first: 5_500, end: 5_510 }, numbers(5_500, 5_510).map(entry));
      await database.execute(
        `UPDATE bulk_tasks SET status = 'error', ended_at = now() - interval '40 days', error = 'x', error_name = 'x'
       WHERE id = $1`,
        [other.taskId],
      );
      expect(await pruneTasks(bench, { olderThanDays: 30 })).toEqual({
        tasks: 1,
        entries: 5_510,
        hasMore: false,
      });
      expect(await database.query("SELECT FROM operation_logs WHERE task_id = $1", [other.taskId])).toEqual(
        [],
      );
    });

    test("when the old table is dropped, reading goes on with the blocks", async () => {
      await database.script("DROP TABLE operation_logs");
      const left = [...numbers(0, 200), ...numbers(250, total)];
      expect(await readAll(50)).toEqual({ seen: left, totalCount: left.length });
      expect((await readAll(50, { status: "failure" })).seen).toEqual(left.filter(failed));
    });

    test("a tenant's rows are deleted though the old table is dropped meanwhile", async () => {
      await createOldLogs(database);
      const { id } = await bench.newTenant();
      let dropped = false;
      const dropping: Database = {
        ...database,
        transaction: async (work, turns) => {
          if (!dropped) await database.script("DROP TABLE operation_logs");
          dropped = true;
          return database.transaction(work, turns);
        },
      };
      expect(await deleteTenantRows(dropping, id, () => false)).toBe(true);
      expect(await database.query("SELECT FROM items WHERE tenant_id = $1", [id])).toEqual([]);
    });
  },
);
