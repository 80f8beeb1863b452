import { type Intent, intentNames, type ResultBranch, resultProperties } from "@lading/schema";
import { beforeEach, describe, expect, test } from "vitest";
import { commands } from "../../src/commands/registry.ts";
import { describeOnEngines, type Shop } from "../support/commands.ts";
import { create, kinds, newItem, prepare as prepareItems, title, width } from "./item/support.ts";
import { list, some } from "./pricelist/support.ts";
import { contract, prepare } from "./subscription-contract/support.ts";

type Stock = Record<(typeof kinds)[number], string>;
type Payload = object | ((shop: Shop, stock: Stock) => object);
type Row = [branch: Intent, intent: Intent, payload: Payload, output: object];

/** The results of a noun's three intents, of the upsert once per branch. */
const written = (noun: string, made: [Payload, object], changed: [Payload, object], upserted = changed[0]) =>
  [
    [`${noun}/${noun === "order" ? "register" : "create"}`, ...made],
    [`${noun}/update`, ...changed],
  ].flatMap(([branch, payload, output], i) => [
    [branch, branch, payload, output],
    [branch, `${noun}/upsert`, i === 0 ? payload : upserted, output],
  ]) as Row[];

const single = (intent: Intent, payload: Payload, output: object): Row => [intent, intent, payload, output];

const id = "0123456789abcdef01234567";
const cart = [{ name: "Chair", quantity: 1 }];
const customer = { identifier: "old" };
const [made, old, changed] = [{ identifier: "new" }, { identifier: "old" }, { identifier: "old", name: "X" }];
const created = { identifier: "new", name: "X" };
const type = "folder";
const renaming = { ...old, from: "title", to: "heading" };
const renamed = { ...old, renamed: { from: "components.title", to: "components.heading" } };
const meta = [{ key: "new" }];
const pieceUpdated = { id: old, ...changed, type: "piece" };
const customerUpdated = { identifier: "old", email: null, firstName: "X", lastName: "Old" };
const listUpdated = { ...changed, modifierType: "PERCENTAGE" };
const orderMade = { id: "ID", createdAt: "TIME" };
const currency = { ...created, currency: "EUR" };
const upsertedOrder = { id, customer, cart, type: "draft" };

const en = { language: "en" };
const [itemId, inEnglish] = [{ id: "ID" }, { id: "ID", ...en }];

const ofRegistry: Row[] = [
  ...written("piece", [created, made], [changed, pieceUpdated]),
  ...written("shape", [{ ...created, type }, made], [changed, { ...pieceUpdated, type }], {
    ...changed,
    type,
  }),
  single("piece/component/rename", renaming, renamed),
  single("shape/component/rename", renaming, renamed),
  ...written("customer", [made, made], [{ ...old, firstName: "X" }, customerUpdated]),
  ...written("customer/group", [made, made], [changed, { type: "customerGroup", identifier: "old" }]),
  ...written("order", [{ customer, cart }, orderMade], [{ id, type: "draft" }, { id }], upsertedOrder),
  ...written("subscription-contract", [contract(), itemId], [{ id, meta }, { id }], contract({ id, meta })),
  ...written("pricelist", [list(made), made], [changed, listUpdated], list(changed)),
  single("pricelist/selectedProductVariants/upsert", { ...old, variants: [{ sku: "mug" }] }, old),
  single("pricelist/selectedProductVariants/remove", { ...old, skus: ["beans"] }, old),
  single("language/upsert", { code: "no", name: "X" }, { code: "no", name: "X" }),
  single("vatType/upsert", { name: "X", percent: 5 }, { id: "ID", name: "X", percent: 5 }),
  single("priceVariant/upsert", currency, currency),
  single("stockLocation/upsert", { ...created, settings: { unlimited: true } }, created),
  single("market/upsert", created, created),
  single(
    "subscriptionPlan/upsert",
    {
      ...{ ...created, periods: [{ id, name: "Y", recurring: { period: 1, unit: "day" } }] },
      meteredVariables: [{ id, identifier: "m", name: "M", unit: "u" }],
    },
    { ...created, periods: [{ id, name: "Y" }], meteredVariables: [{ id, identifier: "m" }] },
  ),
  single(
    "orderPipeline/upsert",
    { name: "X", stages: [{ id, name: "Y" }] },
    { id: "ID", name: "X", stages: [{ id, name: "Y" }] },
  ),
];

const itemCreated = { id: "ID", ...en, versionLabel: "draft" };
/** Listed in an update, so that nothing is removed. */
const both = (name: string) => ["a", "b"].map((sku) => ({ sku, name }));
const variant = (sku: string) => (_: Shop, stock: Stock) => ({
  ...{ productId: stock.product, sku, name: "X", ...en },
});
const price = { priceVariantIdentifier: "default", price: 2 };
const stockChange = { stockLocationIdentifier: "default", operation: "increase", quantity: 1 };

const ofItems: Row[] = [
  ...kinds.flatMap((kind) =>
    written(
      kind,
      [
        (shop: Shop) => newItem(shop, kind),
        kind === "folder" ? { ...itemCreated, id: { value: "ID" } } : itemCreated,
      ],
      [(_: Shop, stock: Stock) => ({ itemId: stock[kind], ...en, name: "X" }), { id: itemCreated }],
      (shop: Shop, stock: Stock) =>
        newItem(shop, kind, {
          itemId: stock[kind],
          name: "X",
          ...(kind === "product" && { variants: both("X") }),
        }),
    ),
  ),
  ...written(
    "product/variant",
    [variant("c"), { sku: "c" }],
    [{ sku: "b", ...en, name: "X" }, { sku: "b" }],
    variant("b"),
  ),
  single("product/variant/delete", { sku: "b" }, { sku: "b" }),
  single("product/variant/stock/modify", { sku: "a", ...stockChange }, { id: "ID", sku: "a" }),
  single("product/variant/price/modify", { sku: "a", ...price }, { id: "ID", sku: "a" }),
  single(
    "item/updateComponent/item",
    (_, { folder }) => ({ itemId: folder, ...en, component: title("X") }),
    itemId,
  ),
  single("item/updateComponent/sku", { sku: "a", ...en, component: width(1) }, itemId),
  single("item/publish", (_, { product }) => ({ itemId: product, ...en }), inEnglish),
  single("item/unpublish", (_, { document }) => ({ itemId: document, ...en }), inEnglish),
  single("item/delete", (_, { folder }) => ({ itemId: folder }), itemId),
];

const verb = (branch: Intent) => branch.split("/").at(-1) ?? "";
const actions: Readonly<Record<string, string>> = {
  ...{ create: "created", register: "created", delete: "deleted", publish: "published" },
  ...{ unpublish: "unpublished" },
};
/** The settings, whose upsert is their only intent, are new here. */
const actionOf = (branch: Intent) =>
  /^\w+\/upsert$/.test(branch) ? "created" : (actions[verb(branch)] ?? "updated");

describeOnEngines("the results of everything but items", (shop) => {
  beforeEach(async () => {
    const components = [{ id: "title", type: "singleLine" }];
    await shop().done("piece/create", { identifier: "old", name: "Old", components });
    await shop().done("shape/create", { identifier: "old", name: "Old", type: "folder", components });
    await shop().done("customer/create", { identifier: "old", lastName: "Old" });
    await shop().done("customer/group/create", { identifier: "old" });
    await shop().done("order/upsert", { id, customer, cart });
    await prepare(shop());
    await shop().done("subscription-contract/upsert", contract({ id }));
    await shop().done("pricelist/create", list({ identifier: "old", ...some("beans") }));
  });

  test.each(ofRegistry)("the result of %s, by %s of %j, is %j", async (branch, intent, payload, output) => {
    const result = await shop().done(intent, payload as Record<string, unknown>);
    expect(result.action).toBe(actionOf(branch));
    expect(withoutChance(result.output)).toEqual(output);
  });
});

describeOnEngines("the results of items", (shop) => {
  let stock: Stock;
  beforeEach(async () => {
    await prepareItems(shop());
    stock = {
      folder: await create(shop(), "folder"),
      document: await create(shop(), "document"),
      product: await create(shop(), "product", { variants: both("Old") }),
    };
    await shop().done("item/publish", { itemId: stock.document, ...en });
  });

  test.each(ofItems)("the result of %s, by %s of %j, is %j", async (branch, intent, payload, output) => {
    const written = typeof payload === "function" ? payload(shop(), stock) : payload;
    const result = await shop().done(intent, written as Record<string, unknown>);
    expect(result.action).toBe(actionOf(branch));
    expect(withoutChance(result.output)).toEqual(output);
  });
});

describe("the table of results", () => {
  test.each([...ofRegistry, ...ofItems])(
    "the result of %s, by %s, has the properties that references are checked by",
    (branch, intent, _, output) => {
      const known = resultProperties[intent].find((each: ResultBranch) => each.intent === branch);
      expect(pathsOf(output).sort()).toEqual(
        known?.properties.map((path) => path.join(".").replace("*", "0")).sort(),
      );
    },
  );

  test("the table has every branch of every intent that writes anything", () => {
    const intents = intentNames.filter(
      (intent) =>
        !/^(image|topic|flow)\/|^item\/(paths|flow)/.test(intent) &&
        (!intent.endsWith("/delete") || /^(item|product\/variant)\//.test(intent)),
    );
    const branches = intents.flatMap((intent) =>
      resultProperties[intent].map((each) => `${each.intent} by ${intent}`),
    );
    const rows = [...ofRegistry, ...ofItems];
    expect(rows.map(([branch, intent]) => `${branch} by ${intent}`).sort()).toEqual(branches.sort());
  });

  test("the registry has the intents of the schema and no others", () => {
    expect(Object.keys(commands).sort()).toEqual([...intentNames].sort());
  });
});

const withoutChance = (output: object): unknown =>
  JSON.parse(
    JSON.stringify(output)
      .replace(/"(?!0123456789)[0-9a-f]{24}"/g, '"ID"')
      .replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"'),
  );

const pathsOf = (output: object): string[] =>
  Object.entries(output).flatMap(([name, value]) =>
    typeof value === "object" && value !== null ? pathsOf(value).map((path) => `${name}.${path}`) : [name],
  );
