import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { contentKey } from "../../packages/service/src/uploads/keys.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { eventually, openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("fetched images that no operation used, on $name", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
  let number = 0;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    host = await openImageHost();
  });
  afterEach(() => bench.stopRunners());
  afterAll(async () => {
    await bench.close();
    await host.close();
  });

  /** A new image: its address, and the key that it is stored under. */
  const image = () => {
    const content = png(1, 1, ++number);
    const hash = createHash("sha256").update(content).digest("hex");
    return {
      url: host.on(`/${number}.png`, content),
      key: contentKey(bench.tenant.id, hash, `${number}.png`),
    };
  };
  /** An image that the host sends when `release` is called. */
  const slowImage = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const content = png(1, 1, ++number);
    const url = host.on(`/${number}.png`, (response) => promise.then(() => void response.end(content)));
    return { url, release: resolve };
  };
  const failing = (url: string) => ({
    intent: "customer/update",
    identifier: "nobody",
    firstName: `{{ upload "${url}" }}`,
  });
  const registering = (url: string) => ({ intent: "image/register", key: `{{ upload "${url}" }}` });
  const isStored = async (key: string) => (await bench.store.stat(key)) !== undefined;
  const noted = () => bench.database.query("SELECT key FROM fetched_images");

  test("unused images are deleted when their task ends, even if another runner fetched them", async () => {
    const [unused, slow] = [image(), slowImage()];
    const stopFirst = await bench.runner();
    const id = await bench.start([failing(unused.url), registering(slow.url)]);
    await bench.until(id, ({ progress }) => progress.processed === 1);
    expect(await isStored(unused.key)).toBe(true);
    await stopFirst();
    expect(await isStored(unused.key)).toBe(true);
    slow.release();
    await bench.runner();
    expect(await bench.ended(id)).toMatchObject({ progress: { failed: 1, succeeded: 1 } });
    expect(await isStored(unused.key)).toBe(false);
    expect(await noted()).toEqual([]);
  });

  test("unused images are deleted when their task is cancelled before the operation is executed", async () => {
    const [unused, slow] = [image(), slowImage()];
    await bench.runner();
    const id = await bench.start([registering(slow.url), registering(unused.url)]);
    await eventually(() => isStored(unused.key), Boolean);
    await cancelTask(bench.database, bench.tenant.id, id);
    await eventually(
      () => isStored(unused.key),
      (stored) => !stored,
    );
    slow.release();
  });

  test("unused images of a task that ended without a runner are deleted by the next runner that starts", async () => {
    const [unused, slow] = [image(), slowImage()];
    const stopFirst = await bench.runner();
    const id = await bench.start([registering(slow.url), registering(unused.url)]);
    await eventually(() => isStored(unused.key), Boolean);
    await stopFirst();
    await cancelTask(bench.database, bench.tenant.id, id);
    expect(await isStored(unused.key)).toBe(true);
    await bench.runner();
    expect(await isStored(unused.key)).toBe(false);
    slow.release();
  });
});
