import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { register, upload } from "../support/images/uploading.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("retries of operations with images on $name", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    host = await openImageHost();
    await bench.runner();
  });
  afterAll(async () => {
    await bench.close();
    await host.close();
  });

  const customer = (identifier: string, value: string) => ({
    ...{ intent: "customer/upsert", identifier, meta: [{ key: "avatar", value }] },
  });
  const outcomes = async (id: string) =>
    (await bench.log(id)).map(({ index, statusCode }) => [index, statusCode]);
  const avatars = async () =>
    bench.database.query(
      `SELECT identifier, meta->0->>'value' AS value FROM customers WHERE tenant_id = $1 ORDER BY identifier`,
      [bench.tenant.id],
    );

  test("a retry fetches images that failed, not others, and those of partial operations on request", async () => {
    const good = host.on("/good.png", png(3, 2));
    const late = `${host.url}/late.png`;
    const { id, progress } = await bench.ended(
      await bench.start([
        register(upload(good), { resourceIdentifier: "good" }),
        { ...register(upload(late), { resourceIdentifier: "late" }), _ref: "photo" },
        customer("ann", "{{ photo.key }}"),
        customer("bob", upload(late)),
      ]),
    );
    expect(await outcomes(id)).toEqual([
      [0, 200],
      [1, expect.any(Number)],
      [2, 424],
      [3, 206],
    ]);
    expect(progress).toMatchObject({ succeeded: 1, partial: 1, failed: 2 });
    expect(await avatars()).toEqual([{ identifier: "bob", value: null }]);

    host.on("/late.png", png(2, 3));
    const started = { autoStart: true } as const;
    const second = await bench.ended((await retryTask(bench, bench.tenant, { id, ...started })).id);
    expect(second.progress).toMatchObject({ skipped: 2, succeeded: 2, partial: 0, failed: 0 });
    expect(await outcomes(second.id)).toEqual([
      [1, 200],
      [2, 200],
    ]);
    const [photo, ann] = await bench.log(second.id);
    const key = (photo?.output as { key?: string } | undefined)?.key;
    expect(key).toContain("/media/");
    expect(ann?.command).toMatchObject({ meta: [{ value: key }] });
    expect(await avatars()).toEqual([
      { identifier: "ann", value: key },
      { identifier: "bob", value: null },
    ]);
    expect((await bench.task(id)).progress.repaired).toBe(2);

    await expect(retryTask(bench, bench.tenant, { id: second.id, ...started })).rejects.toMatchObject({
      message: expect.stringMatching(
        /not-attempted; to execute the partial ones again \(1\), include partial$/,
      ),
    });
    const request = { id: second.id, include: ["PARTIAL"] as const, ...started };
    const third = await bench.ended((await retryTask(bench, bench.tenant, request)).id);
    expect(await outcomes(third.id)).toEqual([[3, 200]]);
    expect((await bench.task(id)).progress.repaired).toBe(3);
    expect(await avatars()).toEqual([
      { identifier: "ann", value: key },
      { identifier: "bob", value: key },
    ]);
    expect(host.requests.filter((path) => path === "/good.png")).toHaveLength(1);
  });
});
