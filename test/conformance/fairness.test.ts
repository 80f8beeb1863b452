import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Tenant } from "../../packages/service/src/tenants/tenant.ts";
import { engines } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

const groups = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    intent: "customer/group/upsert",
    identifier: `g${i}`,
    name: "n",
  }));
const long = groups(8_000);

describe.each(engines)("fairness on $name", ({ open }) => {
  let bench: RunnerBench;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
  });
  afterEach(() => bench.stopRunners());
  afterAll(() => bench.close());

  const running = async (id: string, tenant: Tenant) =>
    bench.until(id, ({ progress }) => progress.processed > 0, tenant);

  test("a few operations do not wait for a slot that a long task has", async () => {
    const [first, second] = [await bench.newTenant(), await bench.newTenant()];
    const longTask = await bench.start(long, { tenant: first });
    await bench.runner({ slots: 1, turn: 3_600_000 });
    await running(longTask, first);
    const short = await bench.ended(await bench.start(groups(10), { tenant: second }), second);
    expect(short).toMatchObject({ status: "complete", progress: { succeeded: 10 } });
    expect((await bench.task(longTask, first)).status).toBe("running");
    expect((await bench.ended(longTask, first)).progress.succeeded).toBe(long.length);
  });

  test("a long task makes way for another one after its turn, and both end with every operation done once", async () => {
    const [first, second] = [await bench.newTenant(), await bench.newTenant()];
    const one = await bench.start(long, { tenant: first });
    await bench.runner({ slots: 1, turn: 100 });
    await running(one, first);
    const two = await bench.start(long, { tenant: second });
    await running(two, second);
    const meanwhile = await bench.task(one, first);
    expect(meanwhile.status).toBe("running");
    for (const [id, tenant] of [
      [one, first],
      [two, second],
    ] as const)
      expect((await bench.ended(id, tenant)).progress).toMatchObject({ succeeded: long.length, failed: 0 });
  });

  test("a file that is being read makes no slot busy: others are executed meanwhile", async () => {
    const [first, second] = [await bench.newTenant(), await bench.newTenant()];
    const go = Promise.withResolvers<void>();
    const slowKey = await bench.upload(groups(2), first);
    const store = {
      ...bench.store,
      read: async function* (key: string, options?: object) {
        for await (const chunk of bench.store.read(key, options)) {
          yield chunk;
          if (key === slowKey) await go.promise;
        }
      },
    };
    const slow = await bench.start([], { tenant: first, key: slowKey });
    await bench.runner({ slots: 1, store });
    const other = await bench.ended(await bench.start(groups(2), { tenant: second }), second);
    expect(other.status).toBe("complete");
    expect((await bench.task(slow, first)).status).toBe("started");
    go.resolve();
    expect((await bench.ended(slow, first)).status).toBe("complete");
  });
});
