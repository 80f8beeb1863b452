import { describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService } from "../support/service.ts";
import { differenceOf, madeAlike } from "./differing.ts";
import { dumpOf, run } from "./dumping.ts";

const id = (number: number) => number.toString(16).padStart(24, "0");
const root = { parentId: "{{ defaults.rootItemId }}" };
const line = (text: string, componentId = "title") => ({ componentId, singleLine: { text } });

const model = [
  { intent: "language/upsert", code: "de", name: "Deutsch" },
  { intent: "stockLocation/upsert", identifier: "oslo", name: "Oslo", settings: { minimum: -5 } },
  { intent: "market/upsert", identifier: "eu", name: "EU" },
  {
    intent: "piece/upsert",
    ...{ identifier: "care", name: "Care" },
    components: [
      { id: "wash", name: "Wash", type: "singleLine" },
      { id: "code", name: "Code", type: "singleLine", config: { singleLine: { multilingual: false } } },
    ],
  },
  {
    intent: "shape/upsert",
    ...{ identifier: "article", name: "Article", type: "document" },
    components: [
      { id: "title", name: "Title", type: "singleLine" },
      { id: "shared", name: "Shared", type: "singleLine", config: { singleLine: { multilingual: false } } },
      { id: "related", name: "Related", type: "itemRelations" },
      { id: "care", name: "Care", type: "piece", config: { piece: { identifier: "care" } } },
    ],
  },
  {
    intent: "shape/upsert",
    ...{ identifier: "tea", name: "Tea", type: "product" },
    components: [{ id: "title", name: "Title", type: "singleLine" }],
    variantComponents: [
      { id: "title", name: "Title", type: "singleLine" },
      { id: "shared", name: "Shared", type: "singleLine", config: { singleLine: { multilingual: false } } },
    ],
  },
  { intent: "shape/upsert", identifier: "shelf", name: "Shelf", type: "folder", components: [] },
];

const item =
  (type: string, shapeIdentifier: string) =>
  (number: number, name: string, more: object = {}) => ({
    intent: `${type}/upsert`,
    ...{
      itemId: id(number),
      createdAt: "2026-01-31T12:00:00Z",
      language: "en",
      name,
      shapeIdentifier,
      tree: root,
    },
    ...more,
  });
const document = item("document", "article");
const folder = item("folder", "shelf");
const product = (number: number, name: string, variants: object[], more: object = {}) =>
  item("product", "tea")(number, name, { variants, ...more });
const publish = (number: number, language = "en") => ({
  intent: "item/publish",
  itemId: id(number),
  language,
});
const under = (number: number) => ({ tree: { parentId: id(number) } });
const topic = (number: number, name: string, more: object = {}) => ({
  intent: "topic/upsert",
  ...{ topicId: id(number), language: "en", name },
  ...more,
});

describe("a comparison of two tenants", () => {
  let tenants = 0;
  const service = opened(() => openService("postgresql"));

  async function tenantWith(operations: object[]): Promise<TenantClient> {
    tenants++;
    const client = await service.tenant(`tenant-${tenants}`);
    await run(client, { version: "1.0.0", operations: [...model, ...operations] });
    return client;
  }

  async function alike(before: object[], after: object[], deletes = true) {
    const [from, to] = [await tenantWith(before), await tenantWith(after)];
    const made = await madeAlike(from, to, deletes);
    // Tenants that can never have equal dumps would prove little.
    expect(made.isEqual).toBe(deletes);
    return made;
  }

  test("finds no difference in one tenant, or in two from the same file", async () => {
    const operations = [
      folder(1, "Shelf"),
      document(2, "Tea", under(1)),
      product(3, "Green", [{ sku: "g", name: "G" }]),
    ];
    const [one, other] = [await tenantWith(operations), await tenantWith(operations)];
    const dump = await dumpOf(one);
    expect(await differenceOf(dump, dump)).toEqual({ operations: [], counts: [], remainders: [] });
    expect(await differenceOf(dump, await dumpOf(other))).toEqual({
      operations: [],
      counts: [],
      remainders: [],
    });
  });

  test("without deletions, keeps and counts what only the first has", async () => {
    const { operations, counts } = await alike(
      [document(1, "One"), topic(9, "Tea")],
      [document(2, "Two")],
      false,
    );
    expect(operations.map(({ intent }) => intent)).toEqual(["document/upsert"]);
    expect(counts).toEqual(["document created 1", "document left 1", "topic left 1"]);
  });

  test("writes only changed fields, and drafts, publications and languages as they are", async () => {
    const { operations } = await alike(
      [
        document(1, "One", { components: [line("a"), line("s", "shared")] }),
        publish(1),
        document(1, "Eins", { language: "de" }),
        publish(1, "de"),
        document(2, "Two", { externalReference: "x" }),
        document(3, "Three"),
        publish(3),
      ],
      [
        document(1, "One", { components: [line("b"), line("t", "shared")] }),
        publish(1),
        document(1, "Eins", { language: "de" }),
        publish(1, "de"),
        document(1, "One edited", { components: [line("c"), line("t", "shared")] }),
        document(2, "Two"),
        document(2, "Zwei", { language: "de" }),
        document(3, "Three"),
      ],
    );
    expect(operations).toContainEqual({ intent: "item/unpublish", itemId: id(3), language: "en" });
    const second = operations.filter(({ itemId }) => itemId === id(2));
    const added = { intent: "document/update", itemId: id(2), language: "de", components: [] };
    // Twice, since an added language takes over what it shares with others.
    expect(second).toEqual([{ ...added, name: "Zwei", externalReference: null }, added]);
  });

  test("writes a changed price as an update of its variant", async () => {
    const variants = (price: number) => [
      { sku: "a", name: "A", priceVariants: [{ identifier: "default", price }] },
      { sku: "b", name: "B", isDefault: true },
    ];
    const { operations } = await alike([product(1, "Tea", variants(1))], [product(1, "Tea", variants(2))]);
    expect(operations).toEqual([
      expect.objectContaining({ intent: "product/variant/update", sku: "a", language: "en" }),
    ]);
  });

  test("matches by resource identifier, reference, SKU and path, and gives references the ids of the first", async () => {
    const half = (from: number, more: object[] = []) => [
      folder(from + 1, "Shelf", { resourceIdentifier: "shelf" }),
      document(from + 2, "Tea", { tree: { parentId: id(from + 1) } }),
      document(from + 3, "Ref", { externalReference: "ref" }),
      product(from + 4, "Green", [{ sku: "green", name: "Green" }]),
      topic(from + 5, "Tea"),
      topic(from + 6, "Green", { parentId: id(from + 5) }),
      ...more,
    ];
    const related = { componentId: "related", itemRelations: { itemIds: [id(22), id(24), id(99)] } };
    const { operations, counts } = await alike(half(0), [
      ...half(20),
      document(23, "Ref", { externalReference: "ref", components: [related], topicIds: [id(26)] }),
      document(30, "New", { tree: { parentId: id(21), position: 1 }, topicIds: [id(25)] }),
    ]);
    expect(counts).toEqual(["document updated 1", "document created 1"]);
    expect(JSON.stringify(operations)).toContain(JSON.stringify([id(2), id(4), id(99)]));
    expect(operations).toContainEqual(expect.objectContaining({ itemId: id(30), topicIds: [id(5)] }));
  });

  test("moves items and topics, restores the order of siblings, and turns a branch upside down", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const documents = (order: string) =>
      [...order].map((name) => document(100 + names.indexOf(name), name, under(1)));
    await alike(
      [
        ...[
          folder(1, "One"),
          folder(2, "Two", under(1)),
          folder(3, "Three", under(2)),
          ...documents("abcdef"),
        ],
        ...[topic(50, "x"), topic(51, "y", { parentId: id(50) }), topic(52, "z")],
      ],
      [
        ...[
          folder(1, "One"),
          folder(3, "Three", under(1)),
          folder(2, "Second", under(3)),
          ...documents("fadbc"),
        ],
        document(200, "new", { tree: { parentId: id(1), position: 2 } }),
        document(104, "e", under(2)),
        ...[topic(51, "z"), topic(50, "y", { parentId: id(51) }), topic(52, "x")],
      ],
    );
  });

  test("deletes children first, and shapes and pieces after the items", async () => {
    const { operations } = await alike(
      [
        { intent: "piece/upsert", identifier: "inner", name: "Inner", components: [] },
        {
          intent: "shape/upsert",
          ...{ identifier: "old", name: "Old", type: "document" },
          components: [{ id: "p", name: "P", type: "piece", config: { piece: { identifier: "inner" } } }],
        },
        ...[folder(1, "One"), folder(2, "Two", under(1)), item("document", "old")(3, "Three", under(2))],
        ...[topic(9, "A"), topic(8, "B", { parentId: id(9) })],
      ],
      [],
    );
    expect(operations.map(({ itemId, topicId, identifier }) => itemId ?? topicId ?? identifier)).toEqual([
      ...[id(3), id(2), id(1), id(8), id(9), "old", "inner"],
    ]);
  });

  test("moves SKUs between products, and follows changed shapes", async () => {
    const v = (sku: string, more: object = {}) => ({ sku, name: sku, ...more });
    await alike(
      [product(1, "One", [v("a"), v("b")]), product(2, "Two", [v("c")]), product(3, "Three", [v("d")])],
      [product(1, "One", [v("a"), v("c", { isDefault: true })]), product(2, "Two", [v("b"), v("d")])],
    );
  });

  test("deletes a self-referencing shape before the pieces that it uses", async () => {
    const related = { id: "more", name: "More", type: "itemRelations" };
    const accepted = { itemRelations: { acceptedShapeIdentifiers: ["set"] } };
    const care = { id: "care", name: "Care", type: "piece", config: { piece: { identifier: "seal" } } };
    const { operations } = await alike(
      [
        { intent: "piece/upsert", identifier: "seal", name: "Seal", components: [] },
        {
          ...{ intent: "piece/upsert", identifier: "first", name: "First" },
          components: [{ ...related, config: accepted }],
        },
        {
          ...{ intent: "shape/upsert", identifier: "set", name: "Set", type: "product" },
          components: [{ ...related, config: accepted }, care],
        },
      ],
      [],
    );
    expect(operations.map(({ intent }) => intent)).toHaveLength(3);
  });

  test("writes customers, orders, price lists, flows, contracts, settings and shapes that differ", async () => {
    const parents = (identifier: string) => [{ identifier, type: "customerGroup" }];
    const customer = (identifier: string, more: object = {}) => ({
      intent: "customer/upsert",
      identifier,
      ...more,
    });
    const group = (identifier: string, more: object = {}) => ({
      intent: "customer/group/upsert",
      identifier,
      ...more,
    });
    const plan = (periodId: number) => ({
      intent: "subscriptionPlan/upsert",
      ...{ identifier: "box", name: "Box" },
      periods: [{ id: id(periodId), name: "Monthly", recurring: { period: 1, unit: "month" } }],
    });
    const contract = (number: number, periodId: number, more: object = {}) => ({
      intent: "subscription-contract/upsert",
      ...{ id: id(number), customerIdentifier: "ann", item: { sku: "g" } },
      subscriptionPlan: { identifier: "box", periodId: id(periodId), periodName: "Monthly" },
      ...{
        status: { activeUntil: "2030-01-01T00:00:00Z" },
        recurring: { currency: "EUR", price: 9 },
        ...more,
      },
    });
    const order = (number: number, more: object = {}) => ({
      intent: "order/upsert",
      ...{ id: id(number), createdAt: "2026-01-31T12:00:00Z", customer: { identifier: "nobody" } },
      ...{ cart: [{ name: "Tea", quantity: 2 }], ...more },
    });
    const list = (identifier: string, modifier: number, variants: object[], more: object = {}) => ({
      intent: "pricelist/upsert",
      ...{ identifier, name: identifier, modifierType: "RELATIVE", targetAudience: { type: "EVERYONE" } },
      priceVariants: [{ identifier: "default", modifier }],
      selectedProductVariants: { type: "SOME_SKUS", variants },
      ...more,
    });
    const restrictions = (shape: string) => ({
      intent: "flow/update",
      ...{ identifier: "check", restrictions: { item: { acceptedShapeIdentifiers: [shape] } } },
    });
    const flow = (...stages: string[]) => ({
      intent: "flow/upsert",
      ...{ identifier: "check", name: "Check", type: "item" },
      stages: stages.map((identifier) => ({ identifier, name: identifier })),
    });
    const put = (stageIdentifier: string, number: number) => ({
      intent: "item/flow/stage/addItems",
      ...{ stageIdentifier, items: [{ id: id(number) }] },
    });
    const items = [
      document(1, "One"),
      document(2, "Two"),
      product(3, "Green", [
        { sku: "g", name: "G" },
        { sku: "h", name: "H" },
      ]),
    ];
    const { remainders } = await alike(
      [
        ...[plan(70), ...items, document(4, "Gone")],
        ...[
          group("a"),
          group("b", { name: "B", parents: parents("a") }),
          customer("ann", { email: "a@example.com" }),
        ],
        ...[
          customer("bob", { parents: parents("b") }),
          customer("eve", { parents: [{ identifier: "bob", type: "customer" }] }),
        ],
        ...[order(40, { paymentStatus: "paid" }), order(41)],
        ...[list("sale", -1, [{ sku: "g" }, { sku: "h" }]), list("old", -2, [{ sku: "g" }])],
        ...[flow("new", "done"), put("done", 1), put("new", 4), restrictions("tea")],
        ...[contract(50, 70), contract(51, 70)],
        { intent: "language/upsert", code: "sv", name: "Svenska" },
      ],
      [
        ...[plan(71), ...items],
        { intent: "language/upsert", code: "fr", name: "Français", isDefault: true },
        { intent: "stockLocation/upsert", identifier: "oslo", name: "Oslo", settings: null },
        { intent: "piece/upsert", identifier: "care", name: "Care", components: [] },
        {
          intent: "shape/update",
          identifier: "shelf",
          name: "Rack",
          components: [{ id: "t", name: "T", type: "boolean" }],
        },
        ...[
          group("b", { name: null }),
          group("a", { parents: parents("b") }),
          customer("ann", { meta: [{ key: "k" }] }),
        ],
        customer("eve", { parents: parents("a") }),
        ...[order(40, { relatedOrderIds: [id(42)] }), order(42)],
        list("sale", -3, [{ sku: "g", priceVariants: [{ identifier: "default", modifier: -2 }] }], {
          endDate: "2030-01-01T00:00:00Z",
        }),
        ...[flow("z", "new"), put("z", 1), put("new", 2), restrictions("article")],
        ...[contract(50, 71, { meta: [{ key: "a", value: "b" }] })],
      ],
    );
    expect(remainders).toEqual([expect.stringContaining("language sv")]);
  });

  test("writes aliases, former paths and shortcuts, each where it was in its folder", async () => {
    const alias = (number: number, ...paths: string[]) => ({
      intent: "item/paths/setAliases",
      ...{ itemId: id(number), language: "en", paths },
    });
    const shortcut = (number: number, parent: number, position: number) => ({
      intent: "item/paths/addShortcuts",
      ...{ itemId: id(number), shortcuts: [{ parentId: id(parent), position }] },
    });
    const history = (number: number, ...paths: string[]) => ({
      intent: "item/paths/setHistory",
      ...{ itemId: id(number), language: "en", paths },
    });
    const items = [
      ...[folder(1, "One"), folder(2, "Two"), document(3, "a"), document(4, "b"), document(5, "c", under(1))],
      ...[document(6, "d", under(1)), document(7, "e")],
    ];
    await alike(
      [
        ...[...items, document(8, "gone", under(1))],
        ...[alias(3, "/x", "/y"), alias(4, "/z"), history(3, "/old"), history(5, "/was", "/been")],
        ...[shortcut(3, 1, 1), shortcut(4, 1, 3), shortcut(3, 2, 1)],
      ],
      [
        ...[...items, document(9, "new", { tree: { parentId: id(1), position: 1 } })],
        ...[alias(3, "/z"), alias(4, "/new"), history(3, "/old", "/older"), history(4, "/first")],
        ...[shortcut(4, 1, 1), shortcut(3, 1, 3), shortcut(7, 1, 5)],
      ],
    );
  });
});
