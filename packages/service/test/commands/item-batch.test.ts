import { beforeEach, expect, test } from "vitest";
import { Rejection } from "../../src/errors.ts";
import {
  describeOnEngines,
  executeMany,
  expectFewStatements,
  type Operations,
  type WrittenOperation,
} from "../support/commands.ts";
import { create, prepare, title, width } from "./item/support.ts";

describeOnEngines("a batch", (shop) => {
  beforeEach(() => prepare(shop()));

  const product = (i: number, more: object = {}) => ({
    language: "en",
    shapeIdentifier: "product",
    name: `Chair ${i}`,
    vatTypeId: shop().tenant.settings.vatTypes[0]?.id,
    tree: { parentId: shop().tenant.rootItemId },
    components: [title("Oak"), { componentId: "intro", richText: { html: [`<p>${i}</p>`] } }],
    variants: [
      {
        sku: `chair-${i}`,
        name: `Chair ${i}`,
        priceVariants: [{ identifier: "default", price: 10 + i }],
        stockLocations: [{ identifier: "default", stock: i }],
      },
    ],
    ...more,
  });

  const upsert =
    (more: (i: number) => object) =>
    (i: number): WrittenOperation[] => [["product/upsert", product(i, more(i))]];
  const named = (i: number) => ({ resourceIdentifier: `chair-${i}` });

  const hot: [what: string, operations: () => Operations, onExisting: boolean][] = [
    ["creating products by product/upsert", () => upsert(named), false],
    ["creating them by external reference", () => upsert((i) => ({ externalReference: `erp-${i}` })), false],
    [
      "updating them by product/upsert",
      () => upsert((i) => ({ ...named(i), name: `Stool ${i}`, components: [title("Ash")] })),
      true,
    ],
    ["upserting them as they are", () => upsert(named), true],
    ["giving them another language", () => upsert((i) => ({ ...named(i), language: "no" })), true],
    [
      "product/update of names and prices",
      () => (i) => [
        [
          "product/update",
          {
            resourceIdentifier: `chair-${i}`,
            language: "en",
            name: `Sofa ${i}`,
            variants: [
              { sku: `chair-${i}`, name: "Sofa", priceVariants: [{ identifier: "default", price: 1 }] },
            ],
          },
        ],
      ],
      true,
    ],
    [
      "stock, prices and components",
      () => (i) => {
        const sku = `chair-${i}`;
        return [
          [
            "product/variant/stock/modify",
            { sku, stockLocationIdentifier: "default", operation: "increase", quantity: 5 },
          ],
          ["product/variant/price/modify", { sku, priceVariantIdentifier: "default", price: 99 }],
          ["item/updateComponent/sku", { sku, language: "en", component: width(4) }],
          ["item/updateComponent/item", { resourceIdentifier: sku, language: "en", component: title("Ash") }],
        ];
      },
      true,
    ],
    [
      "variants",
      () => (i) => [["product/variant/update", { sku: `chair-${i}`, language: "en", name: "X" }]],
      true,
    ],
    [
      "publishing",
      () => (i) => [["item/publish", { resourceIdentifier: `chair-${i}`, language: "en" }]],
      true,
    ],
    ["deleting", () => (i) => [["item/delete", { resourceIdentifier: `chair-${i}` }]], true],
    [
      "products made, changed and published in the same batch",
      () => (i) => [
        ["product/upsert", product(i, named(i))],
        [
          "product/variant/stock/modify",
          { sku: `chair-${i}`, stockLocationIdentifier: "default", operation: "increase", quantity: 5 },
        ],
        [
          "item/updateComponent/item",
          { resourceIdentifier: `chair-${i}`, language: "en", component: title("Ash") },
        ],
        ["item/publish", { resourceIdentifier: `chair-${i}`, language: "en" }],
      ],
      false,
    ],
  ];

  test.each(hot)("200 operations need as many statements as ten: %s", async (_, operations, onExisting) => {
    if (onExisting) await executeMany(shop(), upsert(named), 0, 210);
    await expectFewStatements(shop(), operations());
  });

  test("products under a folder of the same batch need no query", async () => {
    const folder = "0123456789abcdef01234567";
    const outcomes = await shop().batch([
      [
        "folder/upsert",
        {
          itemId: folder,
          language: "en",
          shapeIdentifier: "folder",
          name: "Chairs",
          components: [title("x")],
          tree: { parentId: shop().tenant.rootItemId },
        },
      ],
      ...Array.from(
        { length: 20 },
        (_, i): WrittenOperation => ["product/upsert", product(i, { tree: { parentId: folder } })],
      ),
    ]);
    expect(outcomes.filter((outcome) => outcome instanceof Rejection)).toEqual([]);
    expect(shop().statements.execute).toBe(0);
  });

  test("a product under an existing folder needs no query", async () => {
    const parentId = await create(shop(), "folder");
    await shop().batch([["product/upsert", product(1, { tree: { parentId } })]]);
    expect(shop().statements.execute).toBe(0);
  });
});
