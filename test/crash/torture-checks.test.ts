import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { preparation } from "../../bench/workloads/workload.ts";
import { databaseWithFaults } from "../../packages/service/src/app/fault-injection.ts";
import { startService } from "../../packages/service/src/index.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { productOperations } from "../support/concurrency/two-writers.ts";
import { engines, openTestPostgres } from "../support/engines.ts";
import { logFaults } from "../support/logs/operation-log.ts";
import { seeded } from "../support/random.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import { applyFile } from "../torture/apply.ts";
import { differences, stuckTasks } from "../torture/check.ts";
import { PatientClient } from "../torture/client.ts";
import { Progress } from "../torture/progress.ts";
import { Writer } from "../torture/writer.ts";

test("a watched database sends statements in the order of the calls", {
  tags: "release",
}, async () => {
  const bench = await openRunnerBench(openTestPostgres);
  const watched = databaseWithFaults(bench.database, { at: async () => {} });
  await bench.runner({ database: watched });
  // Items refer to their folder by foreign keys, which are checked after each chunk.
  const task = await bench.ended(await bench.start(preparation));
  expect(task).toMatchObject({ status: "complete", progress: { succeeded: preparation.length } });
  await bench.close();
});

describe("the checks of the crash suite", () => {
  let bench: RunnerBench;
  let one: Tenant;
  let other: Tenant;
  const operations = [1, 2, 3].map((n) => ({
    intent: "customer/upsert",
    identifier: `c${n}`,
    firstName: "x",
  }));
  const wrong = (count = 3) => differences(bench.database, one.id, other.id, count);

  beforeAll(async () => {
    bench = await openRunnerBench(engines[0]!.open);
    await bench.runner();
    [one, other] = [await bench.newTenant(), await bench.newTenant()];
    for (const tenant of [one, other]) await bench.ended(await bench.start(operations, { tenant }), tenant);
  });
  afterAll(() => bench.close());

  test("the checks report only a task that did not end if all else is well", async () => {
    expect([await wrong(), await stuckTasks(bench.database)]).toEqual([[], []]);
    await bench.start(operations, { tenant: one, autoStart: false });
    expect(await stuckTasks(bench.database)).toHaveLength(1);
  });

  test("the checks report a task that did not pass all operations", async () => {
    expect(await wrong(4)).toEqual([expect.stringContaining("a task did not pass 4 operations")]);
  });

  test("the checks report a changed row and a missing log entry", async () => {
    await bench.database.execute("UPDATE customers SET first_name = 'y' WHERE tenant_id = $1", [one.id]);
    expect(await wrong()).toEqual([expect.stringContaining("customers differ at 0")]);
    await bench.database.execute("DELETE FROM operation_log_blocks WHERE tenant_id = $1", [one.id]);
    expect(await wrong()).toEqual(
      expect.arrayContaining([
        expect.stringContaining("ends before 0, the task is at 3"),
        expect.stringContaining("log differ at"),
      ]),
    );
  });

  test.each([
    ["a gap between blocks", "first_index = 1", "has a block from 1, not from 0"],
    ["an entry in another's block", "end_index = 2", "has the entry 2 in the block 0"],
    ["a wrong count", "counts = ARRAY[2]", "has a block from 0 with other counts"],
  ])("the checks report %s", async (_, change, fault) => {
    await bench.database.execute(`UPDATE operation_log_blocks SET ${change} WHERE tenant_id = $1`, [
      other.id,
    ]);
    expect(await logFaults(bench.database, other.id)).toContainEqual(expect.stringContaining(fault));
    await bench.database.execute(
      "UPDATE operation_log_blocks SET first_index = 0, end_index = 3, counts = ARRAY[3] WHERE tenant_id = $1",
      [other.id],
    );
    expect(await logFaults(bench.database, other.id)).toEqual([]);
  });

  test("the checks report a duplicate entry, and a failure without its row", async () => {
    await bench.database.execute(
      `INSERT INTO operation_log_blocks SELECT tenant_id, task_id, 3, 6, intents, actions, statuses, counts, raw_bytes, entries
       FROM operation_log_blocks WHERE tenant_id = $1`,
      [other.id],
    );
    await bench.database.execute(
      "UPDATE bulk_tasks SET cursor_index = 6, succeeded = 6, created = 6, total = 6 WHERE tenant_id = $1",
      [other.id],
    );
    expect(await logFaults(bench.database, other.id)).toContainEqual(
      expect.stringContaining("has the entry 0 after the entry 2"),
    );
    await bench.database.execute(
      `INSERT INTO operation_log_failures SELECT tenant_id, id, 0, 'failure', 400, 'AError', 'a/b', 'why' FROM bulk_tasks
       WHERE tenant_id = $1`,
      [other.id],
    );
    expect(await logFaults(bench.database, other.id)).toContainEqual(
      expect.stringContaining("has 0 failures, and 1 rows for them"),
    );
  });
});

test("kills hit a plan after any number of its operations, until it is left to end", () => {
  const progress = new Progress(seeded(1), 1_000);
  const see = (processed: number) => progress.seen("plan", processed, performance.now());
  progress.begin("plan", true);
  const hitAt = Array.from({ length: 4 }, () => {
    let processed = 0;
    do {
      processed += 100;
      see(processed);
    } while (!progress.killable && processed < 1_000);
    progress.killed({ what: "runner", at: performance.now() }, true);
    see(processed);
    see(0);
    return processed;
  });
  expect([Math.min(...hitAt), Math.max(...hitAt)]).toEqual([100, 1_000]);
  expect(new Set(hitAt).size).toBe(4);
  see(1_000);
  expect(progress.killable).toBe(false);
  progress.end("plan");
  expect(progress.killable).toBe(true);
});

test("the crash suite reports a task that fails while `lading apply` still follows it", {
  tags: "release",
}, async () => {
  const service = await startService({ memory: true, port: 0, logLevel: "silent", rateLimit: 0 });
  const client = new PatientClient({ api: async () => service }, () => false);
  const access = await client.tenant("torn");
  const file = { version: "1.0.0", operations: productOperations(50) };
  const applied = applyFile(client, access, { file, before: undefined }, async () => {
    throw new Error("the task went back");
  });
  await expect(applied).rejects.toThrow("the task went back");
  await service.stop();
});

test("the writer of the crash suite reports a mutation that was lost, repeated or never answered", {
  tags: "release",
}, async () => {
  const service = await startService({ memory: true, port: 0, logLevel: "silent", rateLimit: 0 });
  let answers = true;
  const api = async () => {
    if (!answers) throw new Error("no answer");
    return service;
  };
  const client = new PatientClient({ api }, () => false);
  const writer = await Writer.prepare(client);
  const write = (times: number) => writer.writeUntil(() => times-- === 0);
  const add = (sku: string, operation: string) =>
    client.once(writer.access, ({ graphql }) =>
      graphql(`mutation { modifyProductVariantStock(sku: "${sku}", stockLocationIdentifier: "default",
        operation: ${operation}, quantity: 1) { ... on ProductStockLocation { stock } ... on BasicError { error } } }`),
    );
  await write(3);
  expect([await writer.findWrong(), writer.answers]).toEqual([[], { acknowledged: 3, unanswered: 0 }]);
  answers = false;
  writer.killing({ what: "api", at: performance.now() });
  await write(1);
  answers = true;
  await add("s-0", "increase");
  expect(await writer.findWrong()).toEqual([]); // it may have been executed
  expect(writer.outages).toEqual([]);
  await write(1);
  expect(writer.outages).toEqual([{ what: "api", ms: expect.any(Number) }]);
  await add("s-1", "increase");
  await add("s-2", "decrease");
  expect(await writer.findWrong()).toEqual([
    "s-1 has a stock of 2; 1 were acknowledged, 0 not answered",
    "s-2 has a stock of 0; 1 were acknowledged, 0 not answered",
  ]);
  await service.stop();
});
