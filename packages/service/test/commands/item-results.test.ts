import { type Intent, type ResultBranch, resultProperties } from "@lading/schema";
import { beforeEach, describe, expect, test } from "vitest";
import { describeOnEngines, type Shop } from "../support/commands.ts";
import { create, newItem, prepare, title, width } from "./item/support.ts";

/** The rows that exist before each operation, by id. */
interface Stock {
  folder: string;
  document: string;
  product: string;
}

const itemCreated = { id: "ID", language: "en", versionLabel: "draft" };
const itemUpdated = { id: itemCreated };

type Row = [
  branch: Intent,
  intent: Intent,
  output: unknown,
  payload: (shop: Shop, stock: Stock) => object,
  action: string,
];

/** The results of the intents, an upsert once per branch. */
const results: Row[] = [
  [
    "folder/create",
    "folder/create",
    { ...itemCreated, id: { value: "ID" } },
    (shop) => newItem(shop, "folder"),
    "created",
  ],
  [
    "folder/create",
    "folder/upsert",
    { ...itemCreated, id: { value: "ID" } },
    (shop) => newItem(shop, "folder"),
    "created",
  ],
  [
    "folder/update",
    "folder/update",
    itemUpdated,
    (_, { folder }) => ({ itemId: folder, language: "en", name: "X" }),
    "updated",
  ],
  [
    "folder/update",
    "folder/upsert",
    itemUpdated,
    (shop, { folder }) => newItem(shop, "folder", { itemId: folder, name: "X" }),
    "updated",
  ],
  ["document/create", "document/create", itemCreated, (shop) => newItem(shop, "document"), "created"],
  ["document/create", "document/upsert", itemCreated, (shop) => newItem(shop, "document"), "created"],
  [
    "document/update",
    "document/update",
    itemUpdated,
    (_, { document }) => ({ itemId: document, language: "en", name: "X" }),
    "updated",
  ],
  [
    "document/update",
    "document/upsert",
    itemUpdated,
    (shop, { document }) => newItem(shop, "document", { itemId: document, name: "X" }),
    "updated",
  ],
  ["product/create", "product/create", itemCreated, (shop) => newItem(shop, "product"), "created"],
  ["product/create", "product/upsert", itemCreated, (shop) => newItem(shop, "product"), "created"],
  [
    "product/update",
    "product/update",
    itemUpdated,
    (_, { product }) => ({ itemId: product, language: "en", name: "X" }),
    "updated",
  ],
  [
    "product/update",
    "product/upsert",
    itemUpdated,
    (shop, { product }) => newItem(shop, "product", { itemId: product, name: "X", variants: both }),
    "updated",
  ],
  [
    "product/variant/create",
    "product/variant/create",
    { sku: "c" },
    (_, { product }) => variant(product, "c"),
    "created",
  ],
  [
    "product/variant/create",
    "product/variant/upsert",
    { sku: "c" },
    (_, { product }) => variant(product, "c"),
    "created",
  ],
  [
    "product/variant/update",
    "product/variant/update",
    { sku: "b" },
    () => ({ sku: "b", language: "en", name: "X" }),
    "updated",
  ],
  [
    "product/variant/update",
    "product/variant/upsert",
    { sku: "b" },
    (_, { product }) => variant(product, "b"),
    "updated",
  ],
  ["product/variant/delete", "product/variant/delete", { sku: "b" }, () => ({ sku: "b" }), "deleted"],
  [
    "product/variant/stock/modify",
    "product/variant/stock/modify",
    { id: "ID" },
    () => ({ sku: "a", stockLocationIdentifier: "default", operation: "increase", quantity: 1 }),
    "updated",
  ],
  [
    "product/variant/price/modify",
    "product/variant/price/modify",
    { id: "ID", sku: "a" },
    () => ({ sku: "a", priceVariantIdentifier: "default", price: 2 }),
    "updated",
  ],
  [
    "item/updateComponent/item",
    "item/updateComponent/item",
    { id: "ID" },
    (_, { folder }) => ({ itemId: folder, language: "en", component: title("X") }),
    "updated",
  ],
  [
    "item/updateComponent/sku",
    "item/updateComponent/sku",
    { id: "ID" },
    () => ({ sku: "a", language: "en", component: width(1) }),
    "updated",
  ],
  [
    "item/publish",
    "item/publish",
    { id: "ID", language: "en" },
    (_, { product }) => ({ itemId: product, language: "en" }),
    "published",
  ],
  [
    "item/unpublish",
    "item/unpublish",
    { id: "ID", language: "en" },
    (_, { document }) => ({ itemId: document, language: "en" }),
    "unpublished",
  ],
  ["item/delete", "item/delete", { id: "ID" }, (_, { folder }) => ({ itemId: folder }), "deleted"],
];

/** Listed in an update, so that nothing is removed. */
const both = ["a", "b"].map((sku) => ({ sku, name: "X" }));
const variant = (productId: string, sku: string) => ({ productId, sku, name: "X", language: "en" });

describeOnEngines("the results of items", (shop) => {
  let stock: Stock;
  beforeEach(async () => {
    await prepare(shop());
    stock = {
      folder: await create(shop(), "folder"),
      document: await create(shop(), "document"),
      product: await create(shop(), "product", {
        variants: [
          { sku: "a", name: "A" },
          { sku: "b", name: "B" },
        ],
      }),
    };
    await shop().done("item/publish", { itemId: stock.document, language: "en" });
  });

  test.each(results)("the result of %s, by %s, is %j", async (_branch, intent, output, payload, action) => {
    const result = await shop().done(intent, payload(shop(), stock) as Record<string, unknown>);
    expect(result.action).toBe(action);
    expect(withoutIds(result.output)).toEqual(output);
  });
});

describe("the table of results", () => {
  test.each(results)(
    "the result of %s, by %s, has the properties that references are checked by",
    (branch, intent, output) => {
      const known = resultProperties[intent].find((each: ResultBranch) => each.intent === branch);
      const paths = known?.properties.map((path) => path.join("."));
      expect(pathsOf(output).sort()).toEqual(paths?.toSorted());
    },
  );

  test("the table of results has every intent of items", () => {
    const named = new Set(results.map(([, intent]) => intent));
    const all = Object.keys(resultProperties).filter(
      (intent) => /^(folder|document|product|item)\//.test(intent) && !/^item\/(paths|flow)/.test(intent),
    );
    expect([...named].sort()).toEqual(all.sort());
  });
});

const withoutIds = (output: unknown): unknown =>
  JSON.parse(JSON.stringify(output).replace(/"[0-9a-f]{24}"/g, '"ID"'));

function pathsOf(output: unknown, path: string[] = []): string[] {
  if (typeof output !== "object" || output === null) return [path.join(".")];
  return Object.entries(output).flatMap(([name, value]) => pathsOf(value, [...path, name]));
}
