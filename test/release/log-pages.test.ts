import { beforeAll, describe, expect, test } from "vitest";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { endCursorOf } from "../../packages/service/src/storage/pages/page.ts";
import { searchLimits } from "../../packages/service/src/storage/task-details/log-search.ts";
import type { LogFilter } from "../../packages/service/src/storage/task-details/operation-logs.ts";
import { writeLogs } from "../../packages/service/src/storage/task-details/write-logs.ts";
import { failureGroups, listLogs, logPageBytes } from "../../packages/service/src/tasks/logs.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { openTestPostgres } from "../support/engines.ts";
import { logEntry } from "../support/logs/log-entries.ts";
import { writeLargeLog } from "../support/logs/write-large-log.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

/** Plan of an executed statement: pages of 8 KiB that it read, from memory or disk. */
interface Explained {
  readonly Plan: Buffers;
  /** Of the returned columns; only then large values are read from TOAST. */
  readonly Serialization: Buffers;
}
interface Buffers {
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
}

/** A database that also explains each query, and adds up the pages read. */
function explained(database: Database) {
  const read = { pages: 0, statements: 0 };
  const query: Database["query"] = async (sql, parameters) => {
    const explain = `EXPLAIN (ANALYZE, BUFFERS, SERIALIZE TEXT, FORMAT JSON) ${sql}`;
    const [row] = await database.query<{ "QUERY PLAN": [Explained] }>(explain, parameters);
    const [{ Plan, Serialization }] = row!["QUERY PLAN"];
    for (const part of [Plan, Serialization])
      read.pages += part["Shared Hit Blocks"] + part["Shared Read Blocks"];
    read.statements++;
    return database.query(sql, parameters);
  };
  return { queries: { ...database, query }, read };
}

/** Runs statements, and reports each. */
function told<Kind extends Queries>(queries: Kind, tell: () => void): Kind {
  const told =
    <Arguments extends unknown[], Answer>(run: (...given: Arguments) => Answer) =>
    (...given: Arguments) => {
      tell();
      return run(...given);
    };
  return { ...queries, query: told(queries.query) as Kind["query"], execute: told(queries.execute) };
}

describe("a page of the operation log", () => {
  const bench = opened(() => openRunnerBench(openTestPostgres));

  /** A task with log entries that have a text of `letters` characters. */
  async function logOf(entries: number, letters: number) {
    const id = await bench.start([]);
    const key = { tenantId: bench.tenant.id, taskId: id };
    const input = JSON.stringify({ firstName: "x".repeat(letters) });
    await writeLogs(
      bench.database,
      key,
      { first: 0, end: entries },
      Array.from({ length: entries }, (_, index) => logEntry(index, { input })),
    );
    const pageAfter = (after: string | null) =>
      listLogs(bench.database, bench.tenant.id, { operationId: id }, { first: 1_000, after });
    return { pageAfter };
  }

  test("a page of the log ends at a memory limit, and says that more follow", async () => {
    const letters = 1_000_000;
    const entries = 40;
    const { pageAfter } = await logOf(entries, letters);
    const seen: number[] = [];
    let pages = 0;
    for (let after: string | null = null; ; pages++) {
      const page = await pageAfter(after);
      expect(page.nodes.length * letters).toBeLessThan(logPageBytes + letters);
      seen.push(...page.nodes.map(({ index }) => index));
      after = page.cursors.at(-1) ?? null;
      if (!page.hasNextPage) break;
    }
    expect(seen).toEqual(Array.from({ length: entries }, (_, i) => i));
    expect(pages).toBeGreaterThan(1);
  });

  test("a page of the log has at least one entry, however large it is", async () => {
    const { pageAfter } = await logOf(2, logPageBytes);
    const page = await pageAfter(null);
    expect([page.nodes.length, page.hasNextPage]).toEqual([1, true]);
    expect([(await pageAfter("0")).nodes.length, (await pageAfter("0")).hasNextPage]).toEqual([1, false]);
  });

  test("a page of usual log entries has the requested size", async () => {
    const { pageAfter } = await logOf(1_200, 500);
    expect([(await pageAfter(null)).nodes.length, (await pageAfter(null)).hasNextPage]).toEqual([
      1_000,
      true,
    ]);
    expect([(await pageAfter("999")).nodes.length, (await pageAfter("999")).hasNextPage]).toEqual([
      200,
      false,
    ]);
  });

  describe("of 100,000 entries, one in a hundred of which failed", () => {
    const entries = 100_000;
    const failed = { status: "failure", statusCode: 404, errorName: "ItemNotFoundError" } as const;
    const failure = { ...failed, action: null, message: "No", cause: 'No item has the id "…"' } as const;
    const last = { ...failure, statusCode: 409, errorName: "SkuTakenError" } as const;
    const ofOrders = { intent: "order/register" };
    let taskId: string;

    beforeAll(async () => {
      taskId = await bench.start([]);
      await writeLargeLog(bench.database, { tenantId: bench.tenant.id, taskId }, entries, (index) => {
        if (index % 100 === 42) return index === 99_942 ? last : failure;
        return index > entries - 50 ? ofOrders : {};
      });
    });

    /** Reads 100 entries, and counts the database pages read. */
    async function counted(after: number, filter: Partial<LogFilter>) {
      const { queries, read } = explained(bench.database);
      const request = { first: 100, after: String(after) };
      const page = await listLogs(queries, bench.tenant.id, { operationId: taskId, ...filter }, request);
      return { first: page.nodes[0]?.index, count: page.nodes.length, ...read };
    }

    // A block of 100 entries takes 3.3 database pages on average, including its index; all blocks take 3,300.
    test.each([
      ["from the beginning", -1, {}, 0, 100],
      ["in the middle", 49_999, {}, 50_000, 100],
      ["at the end", 99_899, {}, 99_900, 100],
      ["of an action", 25_000, { action: "created" }, 25_001, 100],
      ["of the last failures, in ten blocks,", 99_000, { status: "failure" }, 99_042, 10],
    ] as const)(
      "a page %s is read from less than 100 pages of the database",
      async (_, after, filter, first, count) => {
        const read = await counted(after, filter);
        expect([read.first, read.count]).toEqual([first, count]);
        expect(read.pages).toBeLessThan(100);
        expect(read.statements).toBeLessThanOrEqual(10);
      },
    );

    test.each([
      ["of failures in the middle", 49_999, { status: "failure" }, 50_042, 100],
      ["of a status code", -1, { statusCode: 404 }, 42, 100],
      ["of a cause in the middle", 49_999, { cause: failure.cause }, 50_042, 100],
      ["of the only error of its name", -1, { errorName: "SkuTakenError" }, 99_942, 1],
    ] as const)(
      "a page %s, with each entry in another block, reads only these blocks",
      async (_, after, filter, first, count) => {
        const read = await counted(after, filter);
        expect([read.first, read.count]).toEqual([first, count]);
        expect(read.pages).toBeLessThan(100 + 4 * count);
        expect(read.statements).toBeLessThanOrEqual(12);
      },
    );

    test("a page of an intent found only at the end reads less than 400 pages, though it visits all blocks", async () => {
      const read = await counted(-1, { operationTypeStartsWith: "order/" });
      expect([read.first, read.count]).toEqual([99_951, 49]);
      expect(read.pages).toBeLessThan(400);
    });

    test.each([
      ["all entries", {}],
      ["failures, each in a block of its own", { status: "failure" }],
    ] as const)(
      "a text search of %s reads 300 blocks per request, until it has found all",
      async (_name, filter) => {
        const given = { operationId: taskId, text: "C99942", ...filter };
        const [seen, times]: [number[], number[]] = [[], []];
        for (let after: string | null = null; ; ) {
          const began = performance.now();
          const page = await listLogs(bench.database, bench.tenant.id, given, { first: 100, after });
          times.push(performance.now() - began);
          seen.push(...page.nodes.map(({ index }) => index));
          expect(Number(page.searchedTo) - Number(after)).toBeLessThanOrEqual(
            100 * searchLimits.blocks + 100,
          );
          if (!page.hasNextPage) break;
          after = endCursorOf(page);
        }
        expect(seen).toEqual([99_942]);
        expect(Math.min(...times)).toBeLessThan(2 * searchLimits.time);
      },
    );

    test("failures are grouped by cause from less than 100 pages", async () => {
      const { queries, read } = explained(bench.database);
      const groups = await failureGroups(queries, bench.tenant.id, { taskId, unrepaired: false });
      expect(
        groups.map(({ cause, errorName, count, firstIndex }) => [cause, errorName, count, firstIndex]),
      ).toEqual([
        [failure.cause, "ItemNotFoundError", entries / 100 - 1, 42],
        [failure.cause, "SkuTakenError", 1, 99_942],
      ]);
      expect(read.pages).toBeLessThan(100);
    });

    test("all entries are counted from less than 400 pages, and pruned by less than 100 statements", async () => {
      const { queries, read } = explained(bench.database);
      const filter = { operationId: taskId, status: "failure" } as const;
      const page = await listLogs(queries, bench.tenant.id, filter, { first: 1 });
      expect(await page.totalCount()).toBe(entries / 100);
      expect(read.pages).toBeLessThan(400);
      await bench.database.execute(
        `UPDATE bulk_tasks SET status = 'error', error = 'x', error_name = 'x', ended_at = now() - interval '40 days'
         WHERE id = $1`,
        [taskId],
      );
      let statements = 0;
      const tell = () => void statements++;
      const transaction: Database["transaction"] = (work, locks) =>
        bench.database.transaction((inner) => work(told(inner, tell)), locks);
      const database = { ...told(bench.database, tell), transaction };
      expect(await pruneTasks({ ...bench, database }, { olderThanDays: 30 })).toMatchObject({
        tasks: 1,
        entries,
      });
      expect(statements).toBeLessThan(100);
    });
  });
});
