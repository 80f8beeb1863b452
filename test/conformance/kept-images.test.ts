import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { customers } from "../../packages/service/src/storage/collections/customers.ts";
import { orders } from "../../packages/service/src/storage/collections/orders.ts";
import { engines } from "../support/engines.ts";
import { componentIds, content, item, runOnModel, variant } from "../support/images/content.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { upload } from "../support/images/uploading.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("an image that cannot be fetched, on $name,", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
  let good: string;
  let missing: string;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    host = await openImageHost();
    good = host.on("/good.png", png(3, 2));
    missing = `${host.url}/missing.png`;
  });
  afterEach(() => bench.stopRunners());
  afterAll(async () => {
    await host.close();
    await bench.close();
  });

  const pictures = (url: string) => ({
    images: [{ key: upload(url), altText: url }],
    videos: [{ key: "film", thumbnails: [{ key: upload(url) }] }],
    components: [{ componentId: "gallery", images: [{ key: upload(url) }] }],
  });
  const publish = { intent: "item/publish", resourceIdentifier: "item", language: "en" };

  test("an image that cannot be fetched keeps the stored media of variants, matched by SKU, also published ones", async () => {
    const { log, contents, variants } = await runOnModel(bench, [
      item("product", "upsert", { variants: ["a", "b", "c"].map((sku) => variant(sku, pictures(good))) }),
      publish,
      item("product", "upsert", {
        variants: [
          variant("c", pictures(good)),
          variant("b", { ...pictures(missing), name: "Renamed" }),
          variant("a", { images: [{ key: upload(good) }, { key: upload(missing) }], videos: [] }),
        ],
      }),
      publish,
    ]);
    expect(log.map(({ statusCode, action }) => [statusCode, action])).toEqual([
      [200, "created"],
      [200, "published"],
      [206, "updated"],
      [200, "published"],
    ]);
    const key = expect.stringContaining("/media/");
    expect(variants).toMatchObject([
      { sku: "a", position: 2, images: [{ key, altText: good }], videos: [] },
      {
        ...{ sku: "b", images: [{ key, altText: good }], videos: [{ thumbnails: [{ key }] }] },
        contents: { en: { name: "Renamed", components: [{ componentId: "gallery", images: [{ key }] }] } },
      },
      { sku: "c", position: 0, images: [{ key }] },
    ]);
    const published = contents.find(({ version }) => version === "published");
    expect(published).toMatchObject({
      variants: variants
        .toSorted((a, b) => Number(a.position) - Number(b.position))
        .map(({ sku, images }) => ({ sku, images })),
    });
    const [, , partial] = log;
    expect(partial).toMatchObject({
      errorName: "ImageFetchError",
      message: expect.stringMatching(/missing.png could not be fetched.*kept .*\/variants\/1\/images/),
      output: {
        kept: [
          "/variants/1/images",
          "/variants/1/videos",
          "/variants/1/components/0/images",
          "/variants/2/images",
        ],
      },
      command: {
        variants: [{ images: [{ key }] }, { components: [{ componentId: "gallery" }] }, { videos: [] }],
      },
    });
    for (const path of [
      [1, "images"],
      [1, "videos"],
      [1, "components", 0, "images"],
      [2, "images"],
    ])
      expect(partial?.command).not.toHaveProperty(["variants", ...path].map(String));
  });

  test("an image that cannot be fetched keeps the stored images of one variant", async () => {
    const one = (intent: string, url: string) => ({
      ...{ intent: `product/variant/${intent}`, sku: "one", language: "en", ...pictures(url) },
      ...(intent === "upsert" && { productId: "{{ item.id }}", name: "One" }),
    });
    const { log, variants } = await runOnModel(bench, [
      item("product", "create", { _ref: "item" }),
      one("upsert", good),
      one("upsert", missing),
      one("update", missing),
      {
        ...{ intent: "item/updateComponent/sku", sku: "one", language: "en" },
        component: { componentId: "gallery", images: [{ key: upload(missing) }] },
      },
    ]);
    expect(log.map(({ statusCode, action }) => [statusCode, action])).toEqual([
      [200, "created"],
      [200, "created"],
      [206, "unchanged"],
      [206, "unchanged"],
      [206, "unchanged"],
    ]);
    expect(log[4]).toMatchObject({ output: { kept: ["/component/images"] } });
    const key = expect.stringContaining("/media/");
    expect(variants.find(({ sku }) => sku === "one")).toMatchObject({
      ...{ images: [{ key }], videos: [{ thumbnails: [{ key }] }] },
      contents: { en: { components: [{ componentId: "gallery", images: [{ key }] }] } },
    });
  });

  test("an image that cannot be fetched keeps the stored lists of customers and orders", async () => {
    const meta = (url: string) => [{ key: "avatar", value: upload(url) }];
    const customer = (intent: string, url: string) => ({
      ...{ intent: `customer/${intent}`, identifier: "ann", phone: url, meta: meta(url) },
    });
    const order = (intent: string, url: string) => ({
      ...{ intent: `order/${intent}`, resourceIdentifier: "first", additionalInformation: url },
      customer: { identifier: "ann", phone: url, lastName: upload(url), meta: meta(url) },
      cart: [{ name: url, quantity: 1, imageUrl: upload(url) }],
    });
    const { log, stored } = await runOnModel(bench, [
      ...[customer("create", good), order("register", good)],
      ...[customer("update", missing), order("upsert", missing)],
    ]);
    expect(log.map(({ statusCode, action }) => [statusCode, action])).toEqual([
      [200, "created"],
      [200, "created"],
      [206, "updated"],
      [206, "updated"],
    ]);
    expect(log[2]).toMatchObject({ output: { kept: ["/meta"] } });
    expect(log[3]).toMatchObject({ output: { kept: ["/cart", "/customer/meta"] } });
    const key = expect.stringContaining("/media/");
    const kept = { phone: missing, meta: [{ key: "avatar", value: key }] };
    expect(await stored(customers)).toMatchObject([kept]);
    expect(await stored(orders)).toMatchObject([
      {
        ...{ additionalInformation: missing, customer: { ...kept, lastName: key } },
        cart: [{ name: good, imageUrl: key }],
      },
    ]);
  });

  test("an image that cannot be fetched removes no variant, even in an unknown field", async () => {
    const { log, variants } = await runOnModel(bench, [
      item("product", "upsert", { variants: [variant("a", {}), variant("b", {})] }),
      item("product", "upsert", { variants: [variant("a", { key: upload(missing) }), variant("b", {})] }),
    ]);
    expect(log[1]).toMatchObject({ statusCode: 206 });
    expect(variants.map(({ sku }) => sku)).toEqual(["a", "b"]);
  });

  test("an operation that fails for another reason writes nothing, with or without its image", async () => {
    const { log } = await runOnModel(bench, [
      item("document", "create", { components: content(good) }),
      item("document", "update", {
        components: [...content(missing), { componentId: "nowhere", images: [] }],
      }),
      item("document", "update", { components: [...content(missing), ...content(missing).slice(0, 1)] }),
    ]);
    expect(log.map(({ statusCode }) => statusCode)).toEqual([200, 400, 400]);
    expect(log[1]?.errors?.at(-1)).toMatchObject({
      path: ["components", componentIds.length, "componentId"],
    });
  });

  test("images that cannot be fetched are treated the same in a later batch", async () => {
    const release = Promise.withResolvers<void>();
    const names = ["one", "two", "three"];
    const late = names.map((name) =>
      host.on(`/late-${name}.png`, async (response) => {
        await release.promise;
        response.writeHead(404).end();
      }),
    );
    /** The rendered branch is not known in advance, so each operation ends its batch and waits for its images. */
    const unforeseen = (url: string | undefined) =>
      `{{#if defaults.taskId}}${upload(url ?? "")}{{else}}none{{/if}}`;
    const upsert = (name: string, key: string) => ({
      ...item("product", "upsert", { name, variants: [variant(name, { images: [{ key }] })] }),
      resourceIdentifier: name,
    });
    const running = runOnModel(bench, [
      ...names.map((name) => upsert(name, upload(good))),
      ...names.map((name, i) => upsert(name, unforeseen(late[i]))),
    ]);
    release.resolve();
    const { log, variants } = await running;
    expect(log.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 206, 206, 206]);
    expect(variants.map((row) => row.images)).toMatchObject(
      names.map(() => [{ key: expect.stringMatching(/good.png$/) }]),
    );
  });
});
