import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { customers } from "../../packages/service/src/storage/collections/customers.ts";
import { itemContents } from "../../packages/service/src/storage/collections/item-contents.ts";
import { orders } from "../../packages/service/src/storage/collections/orders.ts";
import { productVariants } from "../../packages/service/src/storage/collections/product-variants.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { product, runUploading, upload } from "../support/images/uploading.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

const images = { id: "gallery", name: "Gallery", type: "images" };
const inside = [images, { id: "text", name: "Text", type: "singleLine" }];
/** Documents need at least two of these. */
const twoImages = (required: boolean) => ({
  ...{ ...images, id: "required", config: { images: { required, min: 2 } } },
});

const model = [
  { intent: "piece/upsert", identifier: "seo", name: "SEO", components: inside },
  ...["rich-product", "rich-document", "rich-folder"].map((identifier) => ({
    ...{ intent: "shape/upsert", identifier, name: identifier, type: identifier.slice("rich-".length) },
    components: [
      ...[images, twoImages(identifier === "rich-document"), { ...images, id: "films", type: "videos" }],
      {
        ...images,
        id: "manuals",
        type: "files",
        config: { files: { maxFileSize: { size: 1, unit: "MiB" } } },
      },
      {
        ...images,
        id: "body",
        type: "paragraphCollection",
        config: { paragraphCollection: { multilingual: [] } },
      },
      { ...images, id: "piece", type: "piece", config: { piece: { identifier: "seo" } } },
      {
        ...{ ...images, id: "chunk", type: "contentChunk" },
        config: { contentChunk: { components: inside, repeatable: true } },
      },
      { ...images, id: "choice", type: "componentChoice", config: { componentChoice: { choices: inside } } },
    ],
    ...(identifier === "rich-product" && { variantComponents: [images, ...inside.slice(1)] }),
  })),
];

/** Content in each component, with an image of this URL in each. */
const content = (url: string, more: object[] = []) => {
  const list = [{ key: upload(url), altText: url }, ...more];
  return [
    { componentId: "gallery", images: list },
    { componentId: "required", images: [...list, { key: "another" }] },
    { componentId: "films", videos: [{ key: "film", thumbnails: list }, { key: "other" }] },
    { componentId: "manuals", files: [{ key: upload(url), title: url }] },
    { componentId: "body", paragraphCollection: { paragraphs: [{ title: { text: url }, images: list }] } },
    {
      componentId: "piece",
      piece: { identifier: "seo", components: [{ componentId: "gallery", images: list }] },
    },
    {
      componentId: "chunk",
      contentChunk: {
        chunks: [
          [{ componentId: "text", singleLine: { text: url } }],
          [{ componentId: "gallery", images: list }],
        ],
      },
    },
    { componentId: "choice", componentChoice: { componentId: "gallery", images: list } },
  ];
};
const ids = content("").map(({ componentId }) => componentId);

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

  /** Runs operations on the model; answers their log and all that is stored of items and variants. */
  async function run(operations: object[]) {
    const { tenant, log } = await runUploading(bench, [...model, ...operations]);
    const stored = (collection: { sql: { columnList: string }; table: string }, order = "1") =>
      bench.database.query<Record<string, unknown>>(
        `SELECT ${collection.sql.columnList} FROM ${collection.table} t WHERE t.tenant_id = $1 ORDER BY ${order}`,
        [tenant.id],
      );
    const contents = await stored(itemContents, "t.item_id, t.language, t.version");
    const variants = await stored(productVariants, "t.sku");
    return { log: log.slice(model.length), contents, variants, stored };
  }

  const pictures = (url: string) => ({
    images: [{ key: upload(url), altText: url }],
    videos: [{ key: "film", thumbnails: [{ key: upload(url) }] }],
    components: [{ componentId: "gallery", images: [{ key: upload(url) }] }],
  });
  const variant = (sku: string, fields: object) => ({ sku, name: sku, ...fields });
  const item = (kind: string, intent: string, fields: object) => ({
    ...{ ...product("item"), intent: `${kind}/${intent}`, shapeIdentifier: `rich-${kind}` },
    variants: kind === "product" ? product("item").variants : undefined,
    vatTypeId: kind === "product" ? "{{ defaults.vatTypeIds.[0] }}" : undefined,
    ...fields,
  });
  const publish = { intent: "item/publish", resourceIdentifier: "item", language: "en" };
  const componentsOf = (row: Record<string, unknown> | undefined) =>
    row?.components as { componentId: string }[] | undefined;

  test("leaves the images and videos of variants as they are stored, matched by SKU, and they stay published", async () => {
    const { log, contents, variants } = await run([
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

  test("leaves the images of one variant as they are stored", async () => {
    const one = (intent: string, url: string) => ({
      ...{ intent: `product/variant/${intent}`, sku: "one", language: "en", ...pictures(url) },
      ...(intent === "upsert" && { productId: "{{ item.id }}", name: "One" }),
    });
    const { log, variants } = await run([
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

  test.each(["product", "document", "folder"])(
    "leaves each component of a %s that it is for as it is stored, and writes the others",
    async (kind) => {
      const text = { componentId: "gallery", images: [{ key: "plain" }] };
      const { log, contents } = await run([
        item(kind, "create", { components: content(good) }),
        item(kind, "update", { components: [...content(missing, [{ key: upload(good) }]).slice(1), text] }),
        ...content(missing).map((component) => ({
          ...{ intent: "item/updateComponent/item", resourceIdentifier: "item", language: "en", component },
        })),
      ]);
      expect(log.map(({ statusCode }) => statusCode)).toEqual([200, 206, ...ids.map(() => 206)]);
      expect(log[1]).toMatchObject({
        action: "updated",
        output: { kept: ids.slice(1).map((_, i) => expect.stringMatching(`^/components/${i}/`)) },
      });
      expect(log.slice(2).map(({ action }) => action)).toEqual(ids.map(() => "unchanged"));
      const [draft] = contents;
      expect(componentsOf(draft)?.map(({ componentId }) => componentId)).toEqual([
        ...ids.slice(1),
        "gallery",
      ]);
      const before = log[0]?.command as { components: object[] };
      expect(componentsOf(draft)).toMatchObject([...before.components.slice(1), text]);
    },
  );

  test("leaves out its entry alone where nothing is stored yet", async () => {
    const list = [{ key: upload(missing) }, { key: upload(good) }];
    const fields = {
      components: [{ componentId: "gallery", images: list }],
      variants: [variant("new", { images: list, components: [{ componentId: "gallery", images: list }] })],
    };
    const { log, contents, variants } = await run([
      item("product", "upsert", fields),
      {
        ...item("product", "upsert", fields),
        resourceIdentifier: "empty",
        components: [],
        variants: [variant("bare", {})],
      },
      {
        ...item("product", "upsert", { ...fields, variants: [variant("bare", { images: list })] }),
        resourceIdentifier: "empty",
      },
    ]);
    expect(log.map(({ statusCode }) => statusCode)).toEqual([206, 200, 206]);
    for (const { output } of log) expect(output).not.toHaveProperty("kept");
    const one = [{ key: expect.stringContaining("/media/") }];
    expect(contents.map((row) => componentsOf(row))).toEqual([
      [{ componentId: "gallery", images: one }],
      [{ componentId: "gallery", images: one }],
    ]);
    expect(variants.map((row) => row.images)).toEqual([one, one]);
  });

  test("leaves the lists of customers and orders as they are stored, too", async () => {
    const meta = (url: string) => [{ key: "avatar", value: upload(url) }];
    const customer = (intent: string, url: string) => ({
      ...{ intent: `customer/${intent}`, identifier: "ann", phone: url, meta: meta(url) },
    });
    const order = (intent: string, url: string) => ({
      ...{ intent: `order/${intent}`, resourceIdentifier: "first", additionalInformation: url },
      customer: { identifier: "ann", phone: url, lastName: upload(url), meta: meta(url) },
      cart: [{ name: url, quantity: 1, imageUrl: upload(url) }],
    });
    const { log, stored } = await run([
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

  test("takes no variant out, though its template is in a field that variants do not have", async () => {
    const { log, variants } = await run([
      item("product", "upsert", { variants: [variant("a", {}), variant("b", {})] }),
      item("product", "upsert", { variants: [variant("a", { key: upload(missing) }), variant("b", {})] }),
    ]);
    expect(log[1]).toMatchObject({ statusCode: 206 });
    expect(variants.map(({ sku }) => sku)).toEqual(["a", "b"]);
  });

  test("keeps nothing of an operation that fails for another reason", async () => {
    const { log } = await run([
      item("document", "create", { components: content(good) }),
      item("document", "update", {
        components: [...content(missing), { componentId: "nowhere", images: [] }],
      }),
      item("document", "update", { components: [...content(missing), ...content(missing).slice(0, 1)] }),
    ]);
    expect(log.map(({ statusCode }) => statusCode)).toEqual([200, 400, 400]);
    expect(log[1]?.errors?.at(-1)).toMatchObject({ path: ["components", ids.length, "componentId"] });
  });

  test("changes nothing of this in an operation of a later batch", async () => {
    const release = Promise.withResolvers<void>();
    const names = ["one", "two", "three"];
    const late = names.map((name) =>
      host.on(`/late-${name}.png`, async (response) => {
        await release.promise;
        response.writeHead(404).end();
      }),
    );
    /** Which branch is rendered is not known before: each operation ends its batch, and waits for its images. */
    const unforeseen = (url: string | undefined) =>
      `{{#if defaults.taskId}}${upload(url ?? "")}{{else}}none{{/if}}`;
    const upsert = (name: string, key: string) => ({
      ...item("product", "upsert", { name, variants: [variant(name, { images: [{ key }] })] }),
      resourceIdentifier: name,
    });
    const running = run([
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
