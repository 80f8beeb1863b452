import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listLogs, logPageBytes } from "../../packages/service/src/tasks/logs.ts";
import { engines } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("$name: a page of the operation log", ({ open }) => {
  let bench: RunnerBench;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
  });
  afterAll(() => bench.close());

  /** A task with so many entries, each with a text of so many letters. */
  async function logOf(entries: number, letters: number) {
    const id = await bench.start([]);
    await bench.database.query(
      `INSERT INTO operation_logs (tenant_id, task_id, index, intent, status, status_code, action, input, started_at, duration_ms)
       SELECT $1, $2, i, 'customer/upsert', 'success', 200, 'created', json_build_object('firstName', repeat('x', $4)), now(), 0
       FROM generate_series(0, $3 - 1) AS i`,
      [bench.tenant.id, id, entries, letters],
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
});
