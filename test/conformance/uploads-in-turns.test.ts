import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OperationLog } from "../../packages/service/src/tasks/logs.ts";
import type { ObjectStore } from "../../packages/service/src/uploads/object-store.ts";
import { engines } from "../support/engines.ts";
import { imageFetcher } from "../support/images/fetcher.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import {
  gallery,
  product,
  register,
  runUploading,
  shapes,
  type UploadingOptions,
  upload,
} from "../support/images/uploading.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

describe.each(engines)("images that operations upload, on $name", ({ open }) => {
  let host: ImageHost;
  const bench = opened(() => openRunnerBench(open));
  beforeEach(async () => {
    host = await openImageHost();
  });
  afterEach(async () => {
    await bench.stopRunners();
    await host.close();
  });

  const run = (operations: object[], options?: UploadingOptions) => runUploading(bench, operations, options);

  const statuses = (log: OperationLog[]) => log.map(({ statusCode, action }) => [statusCode, action]);

  test("images are fetched concurrently, without changing the order of the operations", async () => {
    const count = 60;
    let waiting: (() => void)[] = [];
    const operations = Array.from({ length: count }, (_, i) => {
      // Answered last to first, once the maximum number of requests is open.
      const url = host.on(`/${i}.png`, async (response) => {
        const mine = Promise.withResolvers<void>();
        waiting.push(mine.resolve);
        if (waiting.length === 6) {
          for (const release of waiting.reverse()) release();
          waiting = [];
        }
        await mine.promise;
        response.end(png(i + 1, 1));
      });
      return product(`p${i}`, { components: gallery(upload(url)) });
    });
    const { log, registered } = await run(operations, { concurrency: 6 });
    expect(log.map(({ index }) => index - shapes.length)).toEqual(operations.map((_, i) => i));
    expect(log.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
    expect(registered).toHaveLength(count);
    expect(host.mostAtOnce()).toBe(6);
    expect(host.connections()).toBe(6);
  });

  test("images delay no operation before their own", async () => {
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const slow = host.on("/slow.png", async (response) => {
      asked.resolve();
      await release.promise;
      response.end(png(1, 1));
    });
    await bench.runner({ images: imageFetcher(bench.store) });
    const tenant = await bench.newTenant();
    const id = await bench.start([...shapes, product("before"), register(upload(slow)), product("after")], {
      tenant,
    });
    await asked.promise;
    const task = await bench.until(id, ({ progress }) => progress.processed === shapes.length + 1, tenant);
    expect(task.status).toBe("running");
    release.resolve();
    expect((await bench.ended(id, tenant)).progress).toMatchObject({ succeeded: shapes.length + 3 });
  });

  test("images are fetched again by the next runner, and stored once", async () => {
    const first = Promise.withResolvers<void>();
    let asked = 0;
    const good = host.on("/good.png", png(7, 7));
    const stuck = host.on("/stuck.png", (response) => {
      asked += 1;
      if (asked > 1) response.end(png(8, 8));
      else first.resolve();
    });
    const fetcher = imageFetcher(bench.store, { concurrency: 1 });
    const stop = await bench.runner({ images: fetcher });
    const tenant = await bench.newTenant();
    // The first is stored, and waits only for its turn behind the stuck one.
    const operations = [register(upload(stuck)), register(upload(good))];
    const id = await bench.start([...shapes, register(upload(good)), ...operations], { tenant });
    await first.promise;
    await stop();
    fetcher.close();
    await bench.runner({});
    expect((await bench.ended(id, tenant)).progress).toMatchObject({ failed: 0, partial: 0 });
    const log = (await bench.log(id, tenant)).slice(shapes.length);
    expect(statuses(log)).toEqual([
      [200, "created"],
      [200, "created"],
      [200, "unchanged"],
    ]);
  });

  test("images that take longer than a turn are not restarted in the next", async () => {
    const release = Promise.withResolvers<void>();
    const slow = host.on("/slow.png", async (response) => {
      await release.promise;
      response.end(png(1, 1));
    });
    const [one, other] = [await bench.newTenant(), await bench.newTenant()];
    const fetcher = imageFetcher(bench.store);
    await bench.runner({ images: fetcher, slots: 1, turn: 20 });
    const first = await bench.start([register(upload(slow))], { tenant: one });
    await bench.until(first, ({ status }) => status === "running", one);
    // Too many for the slot reserved for short tasks.
    const many = Array.from({ length: 1_200 }, (_, i) => ({
      intent: "customer/create",
      identifier: `c${i}`,
    }));
    const second = await bench.start(many, { tenant: other });
    // Meanwhile the runner checks twice a second whether others wait; they do.
    setTimeout(release.resolve, 2_000);
    expect((await bench.ended(first, one)).progress).toMatchObject({ succeeded: 1 });
    expect((await bench.ended(second, other)).progress).toMatchObject({ succeeded: many.length });
    expect(host.requests).toEqual(["/slow.png"]);
    fetcher.close();
  });

  test("images that cannot be stored fail no operation; the task resumes when the store is back", async () => {
    const url = host.on("/a.png", png(9, 9));
    let failures = 1;
    const store: ObjectStore = {
      ...bench.store,
      put: async (key, body, limits) => {
        if (key.includes("/media/") && failures-- > 0)
          throw Object.assign(new Error("no space left"), { code: "ENOSPC", syscall: "write" });
        return bench.store.put(key, body, limits);
      },
    };
    const tenant = await bench.newTenant();
    const fetcher = imageFetcher(store);
    await bench.runner({ store, images: fetcher, lease: 300 });
    const id = await bench.start([...shapes, register(upload(url))], { tenant });
    expect((await bench.ended(id, tenant)).progress).toMatchObject({ failed: 0, partial: 0 });
    fetcher.close();
  });
});
