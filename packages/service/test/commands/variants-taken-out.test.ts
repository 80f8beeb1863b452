import { beforeEach, describe, expect, test } from "vitest";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { create, newItem, prepare, variantBySku, variantsOf } from "./item/support.ts";
import { list, some } from "./pricelist/support.ts";

describeOnEngines("variants of products", (shop) => {
  beforeEach(() => prepare(shop()));

  const product = (variants: WrittenPayload[], more: WrittenPayload = {}) =>
    create(shop(), "product", { variants, ...more });

  /** SKUs in their order, the default one marked. */
  const skusOf = async (id: string) =>
    (await variantsOf(shop(), id)).map(({ sku, isDefault }) => (isDefault ? `${sku}*` : sku));

  test("an update replaces a product's variants: matched by SKU, reordered, the others deleted", async () => {
    const itemId = await product([
      { sku: "a", name: "A", stockLocations: [{ identifier: "default", stock: 5 }] },
      { sku: "b", name: "B" },
      { sku: "c", name: "C" },
    ]);
    const [a] = await variantsOf(shop(), itemId);
    const variants = [
      { sku: "d", name: "D" },
      { sku: "c", name: "C" },
      { sku: "a", name: "A2" },
    ];
    expect(await shop().done("product/update", { itemId, language: "en", variants })).toMatchObject({
      action: "updated",
    });
    expect(await skusOf(itemId)).toEqual(["d", "c", "a*"]);
    const kept = await variantBySku(shop(), "a");
    expect(kept).toMatchObject({
      id: a?.id,
      contents: { en: { name: "A2" } },
      stockLocations: [{ stock: 5 }],
    });
  });

  describe("that an update takes out", () => {
    const row = (identifier: string, amount: object) => ({ identifier, ...amount });
    const full = (sku: string) => ({
      ...{ sku, name: sku },
      stockLocations: [row("default", { stock: 5 }), row("backorder", { stock: -2 })],
      priceVariants: [row("default", { price: 10 }), row("b2b", { price: 8 })],
    });
    const left = { stockLocations: [row("default", { stock: 1 })], priceVariants: null };
    const parts = {
      stockLocations: [{ sku: "a", identifier: "backorder", stock: -2 }],
      priceVariants: [
        { sku: "a", identifier: "default", price: 10 },
        { sku: "a", identifier: "b2b", price: 8 },
      ],
    };

    test("the result names variants taken out with their selections and stock, and rows of the others", async () => {
      const itemId = await product([full("a"), full("b")]);
      await shop().done("pricelist/create", list(some("b")));
      const variants = [
        { sku: "a", name: "A", ...left },
        { sku: "c", name: "C" },
      ];
      const { output } = await shop().done("product/update", { itemId, language: "en", variants });
      expect(output.removed).toEqual({
        variants: [{ sku: "b" }],
        selections: [{ sku: "b", priceList: "spring" }],
        stockLocations: [
          ...parts.stockLocations,
          { sku: "b", identifier: "default", stock: 5 },
          { sku: "b", identifier: "backorder", stock: -2 },
        ],
        priceVariants: parts.priceVariants,
      });
    });

    test.each(["product/variant/update", "product/variant/upsert"] as const)(
      "the result of %s names removed parts",
      async (intent) => {
        const productId = await product([full("a")]);
        const place = intent === "product/variant/upsert" ? { productId, name: "a" } : {};
        const payload = { ...place, ...left, sku: "a", language: "en" };
        expect((await shop().done(intent, payload)).output).toEqual({ sku: "a", removed: parts });
        expect((await shop().done(intent, payload)).output).toEqual({ sku: "a" });
      },
    );

    test("the result names at most a hundred rows taken out, the variants first, and counts the others", async () => {
      const itemId = await product(Array.from({ length: 120 }, (_, i) => full(`v${i}`)));
      const variants = [{ ...full("v0"), priceVariants: null }];
      const { output } = await shop().done(
        "product/upsert",
        newItem(shop(), "product", { itemId, variants }),
      );
      const { removed } = output as { removed: { variants: unknown[]; more: number } };
      expect(Object.keys(removed)).toEqual(["variants", "more"]);
      expect([removed.variants.length, removed.more]).toEqual([100, 19 + 2 * 119 + 2]);
    });

    test("the result mentions nothing taken out when nothing was", async () => {
      const itemId = await product([full("a")]);
      const update = {
        itemId,
        language: "en",
        variants: [
          { ...full("a"), priceVariants: [...full("a").priceVariants, row("vip", { price: 1 })].slice(0, 2) },
          full("b"),
        ],
      };
      expect((await shop().done("product/update", update)).output).toEqual({ id: expect.anything() });
    });
  });
});
