import { beforeEach, describe, expect, test } from "vitest";
import { nextMillisecond } from "../../../../../test/support/concurrency/next-millisecond.ts";
import { priceLists, priceListVariants } from "../../../src/storage/collections/price-lists.ts";
import { productVariants } from "../../../src/storage/collections/product-variants.ts";
import {
  describeOnEngines,
  expectFewStatements,
  failed,
  succeeded,
  type WrittenOperation,
} from "../../support/commands.ts";
import { furnish, list, own, productId, selected, some } from "./support.ts";

describeOnEngines("the variants that a price list selects", (shop) => {
  beforeEach(async () => {
    await furnish(shop());
    await shop().done("pricelist/create", list(some("sofa", { sku: "chair", priceVariants: own })));
  });
  const upsert = (...variants: object[]): WrittenOperation => [
    "pricelist/selectedProductVariants/upsert",
    { identifier: "spring", variants },
  ];
  const remove = (...skus: string[]): WrittenOperation => [
    "pricelist/selectedProductVariants/remove",
    { identifier: "spring", skus },
  ];

  test.each<[name: string, variants: object[], path: (string | number)[]]>([
    ["SkuNotFoundError", [{ sku: "table" }, { sku: "bed" }], ["variants", 1, "sku"]],
    ["ValidationError", [{ sku: "table" }, { sku: "table" }], ["variants", 1]],
    [
      "SettingNotFoundError",
      [{ sku: "table", priceVariants: [{ identifier: "usd", modifier: 1 }] }],
      ["variants", 0, "priceVariants", 0, "identifier"],
    ],
  ])("a price list adds all selected variants or none: %s", async (name, variants, path) => {
    expect(await shop().refused(...upsert(...variants))).toMatchObject({ name, errors: [{ path }] });
    expect(await selected(shop())).toEqual({ chair: 1, sofa: 0 });
  });

  test("adding to the selection adds and changes variants, and leaves the others", async () => {
    const before = await shop().get(priceLists, "spring");
    await nextMillisecond();
    const result = await shop().done(...upsert({ sku: "table" }, { sku: "sofa", priceVariants: own }));
    expect(result).toEqual({ action: "updated", output: { identifier: "spring" } });
    expect(await selected(shop())).toEqual({ chair: 1, sofa: 1, table: 0 });
    expect((await shop().get(priceLists, "spring"))?.updatedAt).not.toBe(before?.updatedAt);
  });

  test("selected variants keep their modifiers when none are sent, and lose them on null", async () => {
    expect(await shop().done(...upsert({ sku: "chair" }))).toEqual({
      ...{ action: "unchanged", output: { identifier: "spring" } },
    });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    expect((await shop().done(...upsert({ sku: "chair", priceVariants: null }))).action).toBe("updated");
    expect(await selected(shop())).toEqual({ chair: 0, sofa: 0 });
  });

  test("removing variants from a selection accepts one that is not in it", async () => {
    expect((await shop().done(...remove("chair", "table", "chair"))).action).toBe("updated");
    expect(await selected(shop())).toEqual({ sofa: 0 });
    expect(await shop().done(...remove("chair", "no such sku"))).toEqual({
      ...{ action: "unchanged", output: { identifier: "spring" } },
    });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
  });

  describe("leave it when they are deleted:", () => {
    test("product/variant/delete takes the variant out of the price lists that select it", async () => {
      await shop().done("product/variant/delete", { sku: "sofa" });
      expect(await selected(shop())).toEqual({ chair: 1 });
    });

    test("item/delete of a product takes its variants out of the price lists that select them", async () => {
      await shop().done("item/delete", { itemId: productId });
      expect(shop().statements.execute).toBe(0);
      expect(await selected(shop())).toEqual({});
      expect((await shop().get(priceLists, "spring"))?.selectionType).toBe("SOME_SKUS");
    });

    test("an update of a product takes variants it leaves out of the price lists that select them", async () => {
      const variants = [{ sku: "chair", name: "chair" }];
      await shop().done("product/update", { itemId: productId, language: "en", variants });
      expect(await selected(shop())).toEqual({ chair: 1 });
    });

    test("one batch can select a variant, delete it, recreate it and select it again", async () => {
      const product = { shapeIdentifier: "furniture", name: "Bed", language: "en" };
      const results = await shop().batch([
        ["product/upsert", { ...product, externalReference: "bed", variants: [{ sku: "bed", name: "Bed" }] }],
        upsert({ sku: "bed" }, { sku: "table" }),
        ["product/variant/delete", { sku: "table" }],
        upsert({ sku: "table" }),
        ["product/variant/create", { productId, language: "en", sku: "table", name: "Table" }],
        upsert({ sku: "table", priceVariants: own }),
      ]);
      expect(failed(results[3]).name).toBe("SkuNotFoundError");
      for (const i of [0, 1, 2, 4, 5]) succeeded(results[i]);
      expect(await selected(shop())).toEqual({ bed: 0, chair: 1, sofa: 0, table: 1 });
      const [table] = (await shop().all(productVariants)).filter(({ sku }) => sku === "table");
      expect((await shop().get(priceListVariants, "spring", "table"))?.variantId).toBe(table?.id);
    });
  });
});

describeOnEngines("a batch of price lists", (shop) => {
  beforeEach(() => furnish(shop()));

  test("two hundred price lists need as many statements as ten", async () => {
    await expectFewStatements(shop(), (i) => [
      ["pricelist/upsert", list({ identifier: `list-${i}`, ...some("chair", "sofa") })],
    ]);
    expect(await shop().all(priceListVariants)).toHaveLength(420);
  });
});
