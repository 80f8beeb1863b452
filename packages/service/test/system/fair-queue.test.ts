import { expect, test } from "vitest";
import { fairQueue } from "../../src/system/fair-queue.ts";

test("a tenant does not wait for all that others have queued before, and each has one at a time", async () => {
  const queue = fairQueue({ concurrency: 2, waiting: 10, longestPause: 0 });
  const began: string[] = [];
  const running = new Map<string, number>();
  let most = 0;
  const work = (tenant: string) =>
    queue.run(tenant, async () => {
      began.push(tenant);
      running.set(tenant, (running.get(tenant) ?? 0) + 1);
      most = Math.max(most, ...running.values());
      await new Promise(setImmediate);
      running.set(tenant, running.get(tenant)! - 1);
    });
  const all = ["a", "a", "a", "a", "b", "b", "b", "b", "c", "c"].map(work);
  expect([queue.isFull("a"), fairQueue({ concurrency: 0, waiting: 0, longestPause: 0 }).isFull("a")]).toEqual(
    [false, true],
  );
  await Promise.all(all);
  expect(began.indexOf("c")).toBeLessThan(5);
  expect([most, began.length]).toEqual([1, 10]);
});

test("work that fails lets others begin, of its tenant and of another", async () => {
  const queue = fairQueue({ concurrency: 1, waiting: 10, longestPause: 1 });
  const fail = () => {
    throw new Error("it failed");
  };
  const all = ["a", "a", "b"].map((tenant) => queue.run(tenant, fail));
  for (const { status } of await Promise.allSettled(all)) expect(status).toBe("rejected");
  expect(await Promise.all(["a", "b"].map((tenant) => queue.run(tenant, () => tenant)))).toEqual(["a", "b"]);
});
