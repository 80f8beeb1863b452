import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endCursorOf } from "../../packages/service/src/storage/pages/page.ts";
import { searchLimits } from "../../packages/service/src/storage/task-details/log-search.ts";
import type { LogFilter } from "../../packages/service/src/storage/task-details/operation-logs.ts";
import { writeLogs } from "../../packages/service/src/storage/task-details/write-logs.ts";
import { failureGroups } from "../../packages/service/src/tasks/log/failure-groups.ts";
import { listLogs, logPageBytes } from "../../packages/service/src/tasks/logs.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { bothEngines } from "../support/engines.ts";
import { logEntry } from "../support/logs/log-entries.ts";
import { writeLargeLog } from "../support/logs/write-large-log.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(bothEngines)("$name: a page of the operation log", ({ open }) => {
  let bench: RunnerBench;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
  });
  afterAll(() => bench.close());

  /** A task with so many entries, each with a text of so many letters. */
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

  test("a page of the log ends before its entries fill the memory, and says that more follow", async () => {
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

  test("a page of usual log entries has as many as were asked for", async () => {
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

  describe("of a million entries, one in a hundred of which failed", () => {
    const entries = 1_000_000;
    const failed = { status: "failure", statusCode: 404, errorName: "ItemNotFoundError" } as const;
    const failure = { ...failed, action: null, message: "No", cause: 'No item has the id "…"' } as const;
    const last = { ...failure, statusCode: 409, errorName: "SkuTakenError" } as const;
    const ofOrders = { intent: "order/register" };
    let taskId: string;

    beforeAll(async () => {
      taskId = await bench.start([]);
      await writeLargeLog(bench.database, { tenantId: bench.tenant.id, taskId }, entries, (index) => {
        if (index % 100 === 42) return index === 999_942 ? last : failure;
        return index > entries - 50 ? ofOrders : {};
      });
    }, 600_000);

    /**
     * Reads a page of 100 entries several times; the time is the shortest, in milliseconds, since others may have come
     * from what else the machine does.
     */
    async function timed(after: number, filter: Partial<LogFilter>) {
      const times: number[] = [];
      const request = { first: 100, after: String(after) };
      let page = await listLogs(bench.database, bench.tenant.id, { operationId: taskId, ...filter }, request);
      for (let round = 0; round < 50; round++) {
        const began = performance.now();
        page = await listLogs(bench.database, bench.tenant.id, { operationId: taskId, ...filter }, request);
        times.push(performance.now() - began);
      }
      const first = page.nodes[0]?.index;
      return { first, count: page.nodes.length, ms: Math.min(...times) };
    }

    test.each([
      ["from the beginning", -1, {}, 0, 100],
      ["in the middle", 499_999, {}, 500_000, 100],
      ["at the end", 999_899, {}, 999_900, 100],
      ["of failures in the middle", 499_999, { status: "failure" }, 500_042, 100],
      ["of the last failures", 999_000, { status: "failure" }, 999_042, 10],
      ["of an action", 250_000, { action: "created" }, 250_001, 100],
    ] as const)("a page %s takes less than 20 ms", async (name, after, filter, first, count) => {
      const read = await timed(after, filter);
      console.info(`${bench.database.engine}, a page ${name}: ${read.ms.toFixed(1)} ms`);
      expect([read.first, read.count]).toEqual([first, count]);
      expect(read.ms).toBeLessThan(20);
    });

    test.each([
      ["of a status code", -1, { statusCode: 404 }, 42, 100],
      ["of a cause in the middle", 499_999, { cause: failure.cause }, 500_042, 100],
      ["of the only error of its name", -1, { errorName: "SkuTakenError" }, 999_942, 1],
    ] as const)(
      "a page %s, whose entries are in as many blocks, takes less than 50 ms",
      async (name, after, filter, first, count) => {
        const read = await timed(after, filter);
        console.info(`${bench.database.engine}, a page ${name}: ${read.ms.toFixed(1)} ms`);
        expect([read.first, read.count]).toEqual([first, count]);
        expect(read.ms).toBeLessThan(50);
      },
    );

    test.each([
      ["all entries", {}],
      ["failures, each in a block of its own", { status: "failure" }],
    ] as const)(
      "a search of %s for a text reads 300 blocks in a request, until it has found all",
      async (name, filter) => {
        const given = { operationId: taskId, text: "C999942", ...filter };
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
        const sum = times.reduce((all, time) => all + time, 0);
        console.info(
          `${bench.database.engine}, a search of ${name}: ${times.length} requests, ${sum.toFixed(0)} ms`,
        );
        expect(seen).toEqual([999_942]);
        expect(Math.min(...times)).toBeLessThan(2 * searchLimits.time);
      },
    );

    test("a page of an intent that is at the end only takes less than 50 ms, though all blocks are looked at", async () => {
      const read = await timed(-1, { operationTypeStartsWith: "order/" });
      console.info(`${bench.database.engine}, a page of an intent at the end: ${read.ms.toFixed(1)} ms`);
      expect([read.first, read.count]).toEqual([999_951, 49]);
      expect(read.ms).toBeLessThan(50);
    });

    test("the failures are grouped by cause in less than 500 ms", async () => {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const began = performance.now();
        const groups = await failureGroups(bench.database, bench.tenant.id, { taskId, unrepaired: false });
        times.push(performance.now() - began);
        expect(
          groups.map(({ cause, errorName, count, firstIndex }) => [cause, errorName, count, firstIndex]),
        ).toEqual([
          [failure.cause, "ItemNotFoundError", entries / 100 - 1, 42],
          [failure.cause, "SkuTakenError", 1, 999_942],
        ]);
      }
      console.info(`${bench.database.engine}, failures by cause: ${Math.min(...times).toFixed(1)} ms`);
      expect(Math.min(...times)).toBeLessThan(500);
    });

    test("all entries are counted, and pruned in less than a second of the database", async () => {
      const filter = { operationId: taskId, status: "failure" } as const;
      const page = await listLogs(bench.database, bench.tenant.id, filter, { first: 1 });
      const counting = performance.now();
      expect(await page.totalCount()).toBe(entries / 100);
      const counted = performance.now() - counting;
      await bench.database.execute(
        `UPDATE bulk_tasks SET status = 'error', error = 'x', error_name = 'x', ended_at = now() - interval '40 days'
         WHERE id = $1`,
        [taskId],
      );
      const began = performance.now();
      expect(await pruneTasks(bench, { olderThanDays: 30 })).toMatchObject({ tasks: 1, entries });
      const pruned = performance.now() - began;
      console.info(
        `${bench.database.engine}: counted in ${counted.toFixed(1)} ms, pruned in ${pruned.toFixed(0)} ms`,
      );
      if (bench.database.engine === "postgresql") expect(pruned).toBeLessThan(1_000);
    });
  });
});
