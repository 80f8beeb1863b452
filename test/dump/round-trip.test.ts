import { describe, expect, test } from "vitest";
import { opened } from "../support/opened.ts";
import { openService, runFile } from "../support/service.ts";
import { dumpOf, restored, run } from "./dumping.ts";

const id = (number: number) => number.toString(16).padStart(24, "0");
const root = { parentId: "{{ defaults.rootItemId }}" };
const content = (text: string) => [{ componentId: "title", singleLine: { text } }];

const file = (...operations: object[]) => ({ version: "1.0.0", operations });

const model = [
  { intent: "language/upsert", code: "de", name: "Deutsch \\{{ kein Template }}" },
  { intent: "language/upsert", code: "no-nb", name: "Norsk", isDefault: true },
  { intent: "market/upsert", identifier: "eu", name: "EU" },
  { intent: "stockLocation/upsert", identifier: "oslo", name: "Oslo", settings: { minimum: -5 } },
  { intent: "piece/upsert", identifier: "care", name: "Care", components: [] },
  {
    intent: "shape/upsert",
    ...{ identifier: "article", name: "Article", type: "document" },
    components: [
      { id: "title", name: "Title", type: "singleLine" },
      { id: "sku", name: "Shared", type: "singleLine", config: { singleLine: { multilingual: false } } },
      {
        ...{ id: "related", name: "Related", type: "itemRelations" },
        config: { itemRelations: { acceptedShapeIdentifiers: ["article", "tea"] } },
      },
    ],
  },
  {
    intent: "shape/upsert",
    ...{ identifier: "tea", name: "Tea", type: "product" },
    components: [{ id: "title", name: "Title", type: "singleLine" }],
    variantComponents: [{ id: "title", name: "Title", type: "singleLine" }],
  },
  { intent: "shape/upsert", identifier: "shelf", name: "Shelf", type: "folder", components: [] },
];

const document = (number: number, language: string, name: string, more: object = {}) => ({
  intent: "document/upsert",
  ...{
    itemId: id(number),
    language,
    name,
    shapeIdentifier: "article",
    tree: root,
    components: content(name),
  },
  ...more,
});

const withoutReport = (dump: string) => dump.replace(/\n\],"report".*/, "\n]}");

describe("a dump run in an empty tenant", () => {
  let tenants = 0;
  const service = opened(() => openService("postgresql"));

  /** Runs a file in a tenant; its dump, and that of a tenant in which this dump was run. */
  async function roundTrip(operations: object[]): Promise<[string, string]> {
    tenants++;
    const source = await service.tenant(`source-${tenants}`);
    await run(source, file(...operations));
    const dump = await dumpOf(source);
    expect(await dumpOf(source)).toBe(dump);
    return [dump, await dumpOf(await restored(service, `target-${tenants}`, dump))];
  }

  test("recreates a tenant with the same dump", async () => {
    const [dump, again] = await roundTrip([]);
    expect(again).toBe(dump);
  });

  test("keeps drafts, publications, languages, the tree, its order, topics and settings", async () => {
    const shelf = { shapeIdentifier: "shelf", language: "en", components: [] };
    const [dump, again] = await roundTrip([
      ...model,
      { intent: "topic/upsert", topicId: id(1), language: "en", name: "Tea \\{{x}}" },
      { intent: "topic/upsert", topicId: id(2), language: "en", name: "Green", parentId: id(1) },
      { intent: "topic/upsert", topicId: id(2), language: "de", name: "Grün" },
      { intent: "folder/upsert", itemId: id(10), name: "Shelf", tree: root, ...shelf },
      { intent: "folder/upsert", itemId: id(11), name: "Board", tree: { parentId: id(10) }, ...shelf },
      document(20, "en", "Published \\{{ with braces", { topicIds: [id(2), id(1)] }),
      { intent: "item/publish", itemId: id(20), language: "en" },
      document(20, "de", "Entwurf"),
      document(20, "en", "Edited", {
        components: [
          ...content("Edited"),
          { componentId: "sku", singleLine: { text: "shared" } },
          { componentId: "related", itemRelations: { itemIds: [id(22), id(99)] } },
        ],
      }),
      document(21, "de", "Nur deutsch", { tree: { ...root, position: 1 } }),
      document(22, "en", "Deep", { tree: { parentId: id(11) } }),
      {
        intent: "product/upsert",
        ...{ itemId: id(30), language: "en", name: "Tea", shapeIdentifier: "tea", externalReference: "t-1" },
        tree: { parentId: id(11) },
        vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
        variants: [
          { sku: "tea-1", name: "Small", priceVariants: [{ identifier: "default", price: 4.5 }] },
          { sku: "tea-2", name: "Large", isDefault: true, components: content("Large") },
        ],
      },
      { intent: "item/publish", itemId: id(30), language: "en" },
      { intent: "product/update", itemId: id(30), language: "de", name: "Tee" },
      {
        intent: "product/update",
        ...{ itemId: id(30), language: "en" },
        variants: [
          { sku: "tea-2", name: "Large", stockLocations: [{ identifier: "oslo", stock: 3 }] },
          { sku: "tea-3", name: "New" },
        ],
      },
    ]);
    expect(again).toBe(dump);
    expect(dump).toContain("\\\\{{");
  });

  test("keeps customers, orders, price lists, flows, contracts and further paths", async () => {
    const shelf = (number: number, parentId = root.parentId) => ({
      intent: "folder/upsert",
      ...{ itemId: id(number), name: `Shelf ${number}`, shapeIdentifier: "shelf", language: "en" },
      tree: { parentId },
    });
    const group = { intent: "customer/group/upsert", identifier: "a-club", name: "Club {x}" };
    const parents = [{ identifier: "z-club", type: "customerGroup" }];
    const period = { id: id(70), name: "Monthly", recurring: { period: 1, unit: "month" } };
    const plan = { identifier: "box", name: "Box", periods: [period] };
    const [dump, again] = await roundTrip([
      ...model,
      { intent: "subscriptionPlan/upsert", ...plan },
      ...[shelf(10), shelf(11), shelf(12, id(11)), document(20, "en", "One"), document(21, "en", "Two")],
      {
        intent: "product/upsert",
        ...{ itemId: id(30), language: "en", name: "Tea", shapeIdentifier: "tea" },
        variants: [{ sku: "tea-1", name: "Small" }],
      },
      {
        intent: "item/paths/setShortcuts",
        itemId: id(20),
        shortcuts: [{ parentId: id(11), position: 1 }, { parentId: id(10) }],
      },
      { intent: "item/paths/setShortcuts", itemId: id(21), shortcuts: [{ parentId: id(11), position: 1 }] },
      { intent: "item/paths/addAliases", itemId: id(20), language: "en", paths: ["/first", "/uno"] },
      { intent: "item/paths/setHistory", itemId: id(20), language: "en", paths: ["/z", "/a"] },
      { intent: "customer/group/upsert", identifier: "z-club", name: null },
      { ...group, parents },
      { intent: "customer/upsert", identifier: "b@example.com", email: "b@example.com", parents },
      {
        intent: "customer/upsert",
        ...{ identifier: "a@example.com", firstName: "Ada", birthDate: "1815-12-10", type: "organization" },
        parents: [{ identifier: "b@example.com", type: "customer" }],
        addresses: [{ type: "billing", city: "London" }],
        meta: [{ key: "k" }],
      },
      {
        intent: "order/upsert",
        ...{ id: id(40), createdAt: "2026-01-31T12:00:00Z", paymentStatus: "paid" },
        customer: { identifier: "nobody", firstName: "Once" },
        cart: [{ name: "Tea", quantity: 2, price: { gross: 5, currency: "EUR" } }],
        payment: [{ provider: "cash", cash: { cash: "{{ literal }}".replace("{{", "\\{{") } }],
      },
      {
        intent: "pricelist/upsert",
        ...{ identifier: "sale", name: "Sale", modifierType: "RELATIVE", endDate: "2030-01-01T00:00:00Z" },
        priceVariants: [{ identifier: "default", modifier: -1 }],
        selectedProductVariants: {
          type: "SOME_SKUS",
          variants: [{ sku: "tea-1", priceVariants: [{ identifier: "default", modifier: -2 }] }],
        },
        targetAudience: { type: "SOME", customerGroupIdentifiers: ["a-club"], marketIdentifiers: ["eu"] },
      },
      {
        intent: "flow/upsert",
        ...{ identifier: "check", name: "Check", type: "item" },
        stages: [
          { identifier: "z-new", name: "New" },
          { identifier: "a-done", name: "Done", meta: [{ key: "k", value: "v" }] },
        ],
        restrictions: { item: { acceptedShapeIdentifiers: ["article"] } },
      },
      {
        intent: "item/flow/stage/addItems",
        stageIdentifier: "z-new",
        items: [{ id: id(21) }, { id: id(20), language: "en", version: "draft" }],
      },
      {
        intent: "subscription-contract/upsert",
        ...{ id: id(50), customerIdentifier: "a@example.com", item: { sku: "tea-1" } },
        subscriptionPlan: { identifier: "box", periodId: id(70), periodName: "Monthly" },
        status: { activeUntil: "2030-01-01T00:00:00Z", renewAt: "2030-01-01T00:00:00Z" },
        recurring: { currency: "EUR", price: 9 },
      },
    ]);
    expect(again).toBe(dump);
    const { operations } = JSON.parse(dump);
    const intents = new Set(operations.map(({ intent }: { intent: string }) => intent));
    expect([...intents].slice(-15)).toEqual(
      [
        ...["folder/upsert", "document/upsert", "product/upsert", "order/upsert", "customer/group/upsert"],
        ...["customer/upsert", "customer/group/update", "customer/update", "pricelist/upsert"],
        ...[
          "pricelist/selectedProductVariants/upsert",
          "flow/upsert",
          "item/flow/stage/addItems",
          "flow/update",
        ],
        ...["subscription-contract/upsert", "item/paths/addAliases", "item/paths/setHistory"],
        "item/paths/addShortcuts",
      ].slice(-15),
    );
  });

  test("keeps stock that is below the minimum of its location, and items that their flow does not accept", async () => {
    const stocked = { sku: "tea-1", name: "Small", stockLocations: [{ identifier: "oslo", stock: 3 }] };
    const stages = [{ identifier: "new", name: "New" }];
    const flow = { intent: "flow/upsert", identifier: "check", name: "Check", type: "item", stages };
    const [dump, again] = await roundTrip([
      ...model,
      {
        intent: "product/upsert",
        ...{ itemId: id(30), language: "en", name: "Tea", shapeIdentifier: "tea", variants: [stocked] },
      },
      { intent: "stockLocation/upsert", identifier: "oslo", name: "Oslo", settings: { minimum: 5 } },
      flow,
      { intent: "item/flow/stage/addItems", stageIdentifier: "new", items: [{ id: id(30) }] },
      { ...flow, restrictions: { item: { acceptedShapeIdentifiers: ["article"] } } },
    ]);
    expect(again).toBe(dump);
    expect(dump).toContain('"minimum":5');
    expect(dump).toContain('"acceptedShapeIdentifiers":["article"]');
  });

  test("recreates products whose SKUs moved or were swapped since they were published", async () => {
    const variants = (...skus: string[]) => ({ variants: skus.map((sku) => ({ sku, name: sku })) });
    const product = (number: number, ...skus: string[]) => ({
      intent: "product/upsert",
      ...{ itemId: id(number), language: "en", name: `Tea ${number}`, shapeIdentifier: "tea", tree: root },
      ...variants(...skus),
    });
    const edited = (number: number, ...skus: string[]) => ({
      ...{ intent: "product/update", itemId: id(number), language: "en", ...variants(...skus) },
    });
    const publish = (number: number, language = "en") => ({
      ...{ intent: "item/publish", itemId: id(number), language },
    });
    const source = [
      ...[...model, product(1, "one"), product(2, "two", "moving"), publish(2)],
      ...[edited(2, "two"), edited(1, "moving"), product(3, "left"), product(4, "right")],
      ...[publish(3), publish(4), edited(3, "third"), edited(4, "left"), edited(3, "right")],
      ...[product(5, "again", "five"), publish(5), edited(5, "five"), edited(5, "five", "again")],
      // Two languages were published with "gone" and "away" before another product took "away".
      ...[product(6, "six", "gone", "away"), { ...product(6, "six", "gone", "away"), language: "de" }],
      ...[publish(6), publish(6, "de"), edited(6, "six"), product(7, "away")],
      ...[product(8, "gone", "eight"), publish(8), edited(8, "eight")],
    ];
    const [dump, again] = await roundTrip(source);
    expect(again).toBe(dump);
    expect(dump).not.toContain('"report"');
    const moved = await service.tenant(`moved-${++tenants}`);
    await run(moved, file(...source));
    const own = await dumpOf(moved);
    await run(moved, own);
    expect(await dumpOf(moved)).toBe(own);
    const natural = await dumpOf(moved, "?ids=natural");
    const copy = await restored(service, `natural-${++tenants}`, natural);
    expect(withoutReport(await dumpOf(copy, "?ids=natural"))).toBe(withoutReport(natural));
  });

  test("run in its own tenant, clears empty values and publishes no draft", async () => {
    const client = await service.tenant(`own-${++tenants}`);
    const customer = { identifier: "ada", firstName: "Ada" };
    const order = { intent: "order/upsert", id: id(40), cart: [{ name: "Tea", quantity: 1 }] };
    await run(
      client,
      file(
        ...[...model, document(20, "en", "Tea", { components: [] })],
        { intent: "item/publish", itemId: id(20), language: "en" },
        { intent: "customer/upsert", identifier: "ada" },
        { ...order, customer: { identifier: "ada" } },
        { intent: "topic/upsert", topicId: id(1), language: "en", name: "Tea" },
      ),
    );
    const dump = await dumpOf(client);
    await run(
      client,
      file(
        { intent: "document/update", itemId: id(20), language: "en", components: content("Embargoed") },
        {
          intent: "document/update",
          itemId: id(20),
          language: "en",
          externalReference: "later",
          topicIds: [id(1)],
        },
        { intent: "stockLocation/upsert", identifier: "default", name: "default", settings: { minimum: 3 } },
        { intent: "topic/update", topicId: id(1), language: "en", displayColor: "#123" },
        { intent: "customer/update", ...customer },
        { ...order, customer, meta: [{ key: "a", value: "b" }] },
      ),
    );
    expect(await dumpOf(client)).not.toBe(dump);
    await run(client, dump);
    expect(await dumpOf(client)).toBe(dump);
  });

  test("publishes nothing of an item that failed", async () => {
    const client = await service.tenant(`unwritten-${++tenants}`);
    const publish = { intent: "item/publish", itemId: id(20), language: "en" };
    await run(client, file(...model, document(20, "en", "Tea"), publish));
    for (const query of ["", "?ids=natural"]) {
      const dump = await dumpOf(client, query);
      await run(client, file({ ...document(20, "en", "Embargoed"), intent: "document/update" }));
      const { log } = await runFile(
        client,
        dump.replace('"shapeIdentifier":"article"', '"shapeIdentifier":"tea"'),
      );
      expect(
        log.filter(({ status }) => status !== "success").map(({ intent, errorName }) => [intent, errorName]),
      ).toEqual([
        ["document/upsert", expect.any(String)],
        ["item/publish", "FailedDependency"],
      ]);
      expect(await dumpOf(client)).toContain("Embargoed");
      await run(client, dump);
    }
  });

  test("distinguishes versions in languages with similar codes", async () => {
    const languages = ["no-nb", "no_nb"];
    const [dump, again] = await roundTrip([
      ...model,
      ...languages.map((code) => ({ intent: "language/upsert", code, name: code })),
      ...languages.flatMap((language) => [
        document(20, language, "Te"),
        { intent: "item/publish", itemId: id(20), language },
      ]),
    ]);
    expect(again).toBe(dump);
    const names = JSON.parse(dump).operations.flatMap(({ _ref = [] }) => _ref);
    expect(names).toEqual([`no_nb_${id(20)}`, `no__nb_${id(20)}`]);
  });

  test("reports contracts for deleted SKUs, and leaves them unchanged in their own tenant", async () => {
    tenants++;
    const shop = await service.tenant(`source-${tenants}`);
    const periods = [{ id: id(71), name: "Monthly", initial: null, recurring: { period: 1, unit: "month" } }];
    await run(
      shop,
      file(
        ...model,
        { intent: "subscriptionPlan/upsert", identifier: "tea", name: "Tea", periods },
        { intent: "customer/upsert", identifier: "ada", lastName: "Lovelace" },
        {
          ...{ intent: "product/upsert", itemId: id(72), language: "en", name: "Tea", tree: root },
          ...{ shapeIdentifier: "tea", variants: ["kept", "gone"].map((sku) => ({ sku, name: sku })) },
        },
        {
          ...{ intent: "subscription-contract/upsert", id: id(73), customerIdentifier: "ada" },
          subscriptionPlan: { identifier: "tea", periodId: id(71), periodName: "Monthly" },
          ...{ item: { sku: "gone", name: "Tea" }, recurring: { currency: "EUR", price: 10 }, status: {} },
        },
        { intent: "product/variant/delete", sku: "gone" },
      ),
    );
    const dump = await dumpOf(shop);
    expect(JSON.parse(dump).report).toEqual([
      { what: "a contract for a deleted SKU, which cannot be created", count: 1, examples: [id(73)] },
    ]);
    await run(shop, dump);
    expect(await dumpOf(shop)).toBe(dump);
  });

  test("reports what no operation can write", async () => {
    tenants++;
    const shop = await service.tenant(`source-${tenants}`);
    const stages = [{ id: id(61), name: "Open" }];
    await run(
      shop,
      file(
        { intent: "orderPipeline/upsert", id: id(60), name: "Sales", stages },
        {
          intent: "order/register",
          ...{ customer: { identifier: "nobody" }, cart: [{ name: "Tea", quantity: 1 }] },
          pipelines: [{ pipelineId: id(60), stageId: id(61) }],
        },
      ),
    );
    const dump = await dumpOf(shop);
    expect(JSON.parse(dump).report).toEqual([
      { what: "the pipeline stages of an order", count: 1, examples: [expect.any(String)] },
    ]);
    await restored(service, `target-${tenants}`, dump);
  });
});
