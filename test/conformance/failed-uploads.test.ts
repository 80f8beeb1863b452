import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { engines } from "../support/engines.ts";
import { imageFetcher } from "../support/images/fetcher.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { gallery, product, runUploading } from "../support/images/uploading.ts";
import { blockInsert } from "../support/logs/operation-log.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("operations that fail after they uploaded an image, on $name,", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    host = await openImageHost();
  });
  afterEach(() => bench.stopRunners());
  afterAll(async () => {
    await host.close();
    await bench.close();
  });

  /** The first template uploads an image, the second one fails. */
  const failing = (url: string) =>
    product("failing", {
      components: gallery(`{{ upload "${url}" "hero" }}`),
      meta: "{{ valueOf (fetchItemByResourceIdentifier 'nothing') 'name' }}",
    });
  const customer = (identifier: string) => ({ intent: "customer/create", identifier });

  test("no later operation uses an image of an operation that failed", async () => {
    const [one, other] = [host.on("/one.png", png(1, 1)), host.on("/other.png", png(2, 2))];
    const { log, registered } = await runUploading(bench, [
      failing(one),
      customer("next"),
      product("own", { components: gallery(`{{ upload "${other}" "hero" }}`) }),
    ]);
    expect(log.map(({ statusCode }) => statusCode)).toEqual([404, 200, 200]);
    expect(registered).toMatchObject([{ resourceIdentifier: "hero", width: 2 }]);
  });

  test("no operation uses an image of a failed one when the batch is repeated", async () => {
    const url = host.on("/again.png", png(3, 3));
    let batches = 0;
    const database = conflictingOnce(bench.database, () => batches++);
    const { log, registered } = await runUploading(bench, [customer("before"), failing(url)], { database });
    expect(log.map(({ statusCode }) => statusCode)).toEqual([200, 404]);
    expect(registered).toEqual([]);
    expect(batches).toBeGreaterThan(1);
  });

  test("operations do not wait for the unfinished upload of a failed one", async () => {
    const silent = host.on("/silent.png", () => {});
    const fetcher = imageFetcher(bench.store, { limits: { time: 600_000, idle: 600_000 } });
    const tenant = await bench.newTenant();
    await bench.runner({ images: fetcher });
    const id = await bench.start(
      [
        { ...customer("{{ defaults.taskId }}"), _ref: "base" },
        product("failing", {
          components: gallery(`{{#if base.identifier}}{{ upload "${silent}" }}{{/if}}`),
          meta: "{{ valueOf (fetchItemByResourceIdentifier 'nothing') 'name' }}",
        }),
        customer("next"),
      ],
      { tenant },
    );
    expect((await bench.ended(id, tenant)).progress).toMatchObject({ succeeded: 2, failed: 1 });
    fetcher.close();
  });
});

/** A database where the first batch of more than one operation conflicts with another writer. */
function conflictingOnce(database: Database, onBatch: () => void): Database {
  let met = false;
  return {
    ...database,
    transaction: (work, turn) =>
      database.transaction(async (inner) => {
        let logged = 0;
        const result = await work({
          ...inner,
          execute: (sql, parameters) => {
            if (blockInsert.test(sql)) logged++;
            return inner.execute(sql, parameters);
          },
        });
        if (logged > 0) onBatch();
        if (logged > 0 && !met) {
          met = true;
          throw Object.assign(new Error("could not serialize access"), { code: "40001" });
        }
        return result;
      }, turn),
  };
}
