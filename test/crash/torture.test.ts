import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tenant } from "../../packages/service/src/tenants/tenant.ts";
import { openTestPglite } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import { differences, stuckTasks } from "../torture/check.ts";
import { torture } from "../torture/torture.ts";

// The engine that needs the fewest processes; `npm run torture` takes both, and kills the database's server too.
describe("killed at random on pglite", () => {
  test("a service loses no operation and repeats none", async () => {
    const report = await torture({ engine: "pglite", kills: 1, seed: 5, operations: 300 });
    expect(report.wrong).toEqual([]);
    expect(report.kills).toBeGreaterThanOrEqual(1);
  }, 300_000);
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
  const wrong = () => differences(bench.database, one.id, other.id, 3);

  beforeAll(async () => {
    bench = await openRunnerBench(openTestPglite);
    await bench.runner();
    [one, other] = [await bench.newTenant(), await bench.newTenant()];
    for (const tenant of [one, other]) await bench.ended(await bench.start(operations, { tenant }), tenant);
  });
  afterAll(() => bench.close());

  test("notice nothing where all is well, and a task that did not end", async () => {
    expect([await wrong(), await stuckTasks(bench.database)]).toEqual([[], []]);
    await bench.start(operations, { tenant: one, autoStart: false });
    expect(await stuckTasks(bench.database)).toHaveLength(1);
  });

  test("notice a change that is not as it should be, and an entry that is missing", async () => {
    await bench.database.execute("UPDATE customers SET first_name = 'y' WHERE tenant_id = $1", [one.id]);
    expect(await wrong()).toEqual([expect.stringContaining("customers differ at 0")]);
    await bench.database.execute("DELETE FROM operation_logs WHERE tenant_id = $1 AND index = 1", [one.id]);
    expect(await wrong()).toEqual(
      expect.arrayContaining([
        "the log has 2 as its entries, not 3",
        expect.stringContaining("log differ at 1"),
      ]),
    );
  });
});
