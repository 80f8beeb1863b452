import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { wakeChannel } from "../../packages/service/src/storage/bulk-tasks/wake.ts";
import { engines } from "../support/engines.ts";
import { storedEntries } from "../support/logs/operation-log.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

const groups = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    intent: "customer/group/upsert",
    identifier: `g${i}`,
    name: "n",
  }));
const long = groups(8_000);

describe.each(engines)("fairness on $name", ({ name, open }) => {
  let bench: RunnerBench;
  beforeEach(async () => {
    bench = await openRunnerBench(open); // none has a task left over from the previous test
  });
  afterEach(() => bench.close());

  const endOf = ({ endedAt }: { endedAt: string | null }) => Date.parse(endedAt ?? "");

  test("a short task does not wait for the slot of a long one", async () => {
    const [first, second] = [await bench.newTenant(), await bench.newTenant()];
    const longTask = await bench.start(long, { tenant: first });
    const shortTask = await bench.start(groups(10), { tenant: second });
    await bench.runner({ slots: 1, turn: 3_600_000 });
    const short = await bench.ended(shortTask, second);
    expect(short).toMatchObject({ status: "complete", progress: { succeeded: 10 } });
    const other = await bench.ended(longTask, first);
    expect(other.progress.succeeded).toBe(long.length);
    expect(endOf(short)).toBeLessThan(endOf(other));
  });

  test("a long task yields to another one after its turn, and both execute each operation once", async () => {
    const [first, second] = [await bench.newTenant(), await bench.newTenant()];
    // Many turns, also where a turn is over late on a busy machine.
    const longer = groups(16_000);
    const tasks = [
      [await bench.start(longer, { tenant: first }), first],
      [await bench.start(longer, { tenant: second }), second],
    ] as const;
    await bench.runner({ slots: 1, turn: 100 });
    const begins: number[] = [];
    const ends: number[] = [];
    for (const [id, tenant] of tasks) {
      const ended = await bench.ended(id, tenant);
      expect(ended.progress).toMatchObject({ succeeded: longer.length, failed: 0 });
      const [entry] = await bench.log(id, tenant);
      begins.push(Date.parse(entry?.startedAt ?? ""));
      ends.push(endOf(ended));
    }
    expect(Math.max(...begins)).toBeLessThan(Math.min(...ends));
  });

  test("a stopping runner releases its task and wakes the others before their next sweep", async () => {
    const tenant = await bench.newTenant();
    const received: string[] = [];
    const unlisten = await bench.database.listen(wakeChannel, (payload) => received.push(payload));
    const stop = await bench.runner({ turn: 3_600_000 });
    const id = await bench.start(long, { tenant });
    await bench.until(id, ({ progress }) => progress.processed > 0, tenant);
    // Earlier wake-ups may still be on their way; all of them arrive before this one.
    await bench.database.query("SELECT pg_notify($1, 'stops')", [wakeChannel]);
    const inTime = { timeout: 10_000 };
    await vi.waitFor(() => expect(received).toContain("stops"), inTime);
    await stop();
    await vi.waitFor(() => expect(received.slice(received.indexOf("stops"))).toEqual(["stops", ""]), inTime);
    await unlisten();
    expect((await bench.task(id, tenant)).status).toBe("running");
    await bench.runner();
    expect((await bench.ended(id, tenant)).progress.succeeded).toBe(long.length);
  });

  test.runIf(name === "PGlite")("no batch of a long task starts while a short one is executed", async () => {
    const [first, second] = [await bench.newTenant(), await bench.newTenant()];
    const longTask = await bench.start(long, { tenant: first });
    await bench.runner();
    await bench.until(longTask, ({ progress }) => progress.processed > 0, first);
    const shortTask = await bench.start(groups(10), { tenant: second });
    const short = await bench.ended(shortTask, second);
    const [entry] = await bench.log(shortTask, second);
    expect(endOf(await bench.ended(longTask, first))).toBeGreaterThan(endOf(short));
    const [from, to] = [entry?.startedAt ?? "", short.endedAt ?? ""];
    const between = (await storedEntries(bench.database, first.id, longTask)).filter(
      ({ startedAt }) => startedAt > from && startedAt < to,
    );
    expect(between).toEqual([]);
  });

  test("reading a file takes no slot from tasks that execute", async () => {
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
