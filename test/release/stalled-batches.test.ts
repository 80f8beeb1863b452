import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseWithFaults } from "../../packages/service/src/faults.ts";
import { openTestPostgres } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

/** Longer than a session may sit idle in a transaction. */
const tooLong = 11_000;
const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });

let bench: RunnerBench;
beforeAll(async () => {
  bench = await openRunnerBench(openTestPostgres);
});
afterAll(() => bench.close());

test("a batch that makes its process stand still counts as an attempt, and ends after the last", async () => {
  const id = await bench.start([group("a"), group("b")]);
  let stalls = 0;
  // The validation writes once, then each batch that holds the operation.
  const at = async (point: string) => {
    const { status, progress } = await bench.task(id);
    if (point !== "before flush" || status !== "running" || progress.processed > 0) return;
    stalls++;
    for (const until = performance.now() + tooLong; performance.now() < until; );
  };
  await bench.runner({ database: databaseWithFaults(bench.database, { at }), lease: 1_000 });
  const task = await bench.ended(id);
  expect(stalls).toBe(2);
  expect(task).toMatchObject({ status: "complete", progress: { processed: 2, failed: 1 } });
  const [first, second] = await bench.log(id);
  expect(first).toMatchObject({ statusCode: 500, errorName: "InternalError" });
  expect(first?.message).toContain("stood still for too long");
  expect(second).toMatchObject({ statusCode: 200 });
}, 120_000);

test("a connection that is cut is an outage: it does not count, however often it comes", async () => {
  const id = await bench.start([group("c")]);
  let cuts = 0;
  const { database } = bench;
  const cutting = databaseWithFaults(database, {
    at: async (point) => {
      const { status } = await bench.task(id);
      if (point !== "before flush" || status !== "running" || cuts >= 4) return;
      cuts++;
      await database.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()",
      );
    },
  });
  await bench.runner({ database: cutting, lease: 1_000 });
  const task = await bench.ended(id);
  expect(cuts).toBe(4);
  expect(task).toMatchObject({ status: "complete", progress: { processed: 1, failed: 0 } });
}, 60_000);
