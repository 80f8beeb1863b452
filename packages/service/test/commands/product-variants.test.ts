import { beforeEach, describe, expect, test } from "vitest";
import { items } from "../../src/storage/collections/items.ts";
import { productVariants } from "../../src/storage/collections/product-variants.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { create, newItem, prepare, title, variantBySku, variantsOf, width } from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";

describeOnEngines("variants of products", (shop) => {
  beforeEach(() => prepare(shop()));

  const product = (variants: WrittenPayload[], more: WrittenPayload = {}) =>
    create(shop(), "product", { variants, ...more });

  /** SKUs in their order, the default one marked. */
  const skusOf = async (id: string) =>
    (await variantsOf(shop(), id)).map(({ sku, isDefault }) => (isDefault ? `${sku}*` : sku));

  const wrong: [what: string, variant: object, name: string, path: (string | number)[]][] = [
    ["an empty SKU", { sku: "" }, "ValidationError", ["sku"]],
    ["a SKU of 513 characters", { sku: "x".repeat(513) }, "ValidationError", ["sku"]],
    ["a name of 1025 characters", { name: "x".repeat(1025) }, "ValidationError", ["name"]],
    [
      "an attribute of 129 characters",
      { attributes: [{ attribute: "x".repeat(129), value: "" }] },
      "ValidationError",
      ["attributes", 0, "attribute"],
    ],
    [
      "an attribute's value of 2049 characters",
      { attributes: [{ attribute: "x", value: "x".repeat(2049) }] },
      "ValidationError",
      ["attributes", 0, "value"],
    ],
    [
      "a price below 0",
      { priceVariants: [{ identifier: "default", price: -1 }] },
      "ValidationError",
      ["priceVariants", 0, "price"],
    ],
    [
      "a price above a thousand million",
      { priceVariants: [{ identifier: "default", price: 1e9 + 1 }] },
      "ValidationError",
      ["priceVariants", 0, "price"],
    ],
    [
      "two prices of one price variant",
      {
        priceVariants: [
          { identifier: "default", price: 1 },
          { identifier: "default", price: 2 },
        ],
      },
      "ValidationError",
      ["priceVariants", 1],
    ],
    [
      "a price variant that the tenant lacks",
      { priceVariants: [{ identifier: "nix", price: 1 }] },
      "SettingNotFoundError",
      ["priceVariants", 0, "identifier"],
    ],
    [
      "a stock location that the tenant lacks",
      { stockLocations: [{ identifier: "nix", stock: 1 }] },
      "SettingNotFoundError",
      ["stockLocations", 0, "identifier"],
    ],
    [
      "a stock below zero",
      { stockLocations: [{ identifier: "default", stock: -1 }] },
      "ValidationError",
      ["stockLocations", 0, "stock"],
    ],
    [
      "content that the shape does not have",
      { components: [title("x")] },
      "ComponentContentValidationFailedError",
      ["components", 0, "componentId"],
    ],
  ];

  test.each(wrong)(
    "a variant is refused with %s, on its own and in a product",
    async (_, variant, name, path) => {
      const productId = await product([{ sku: "a", name: "A" }]);
      const payload = { sku: "b", name: "B", language: "en", productId, ...variant };
      if (payload.sku !== "")
        expect(await shop().refused("product/variant/upsert", payload)).toMatchObject({
          name,
          errors: [{ path }],
        });
      const variants = [
        { sku: "c", name: "C" },
        { sku: "d", name: "D", ...variant },
      ];
      const refusal = await shop().refused("product/create", newItem(shop(), "product", { variants }));
      expect(refusal).toMatchObject({ name, errors: [{ path: ["variants", 1, ...path] }] });
      expect(await shop().all(productVariants)).toHaveLength(1);
    },
  );

  describe("of their own", () => {
    test.each([
      ["product/variant/update", { sku: "nix", language: "en" }],
      ["product/variant/delete", { sku: "nix" }],
      [
        "product/variant/stock/modify",
        { sku: "nix", operation: "increase", quantity: 1, stockLocationIdentifier: "default" },
      ],
      ["product/variant/price/modify", { sku: "nix", priceVariantIdentifier: "default", price: 1 }],
      ["item/updateComponent/sku", { sku: "nix", language: "en", component: { componentId: "width" } }],
    ] as const)("%s does not find an unknown SKU", async (intent, payload) => {
      const refusal = await shop().refused(intent, payload);
      expect(refusal).toMatchObject({ name: "ProductVariantNotFoundError", errors: [{ path: ["sku"] }] });
      expect(refusal.message).toContain('"nix"');
    });

    test.each(["product/variant/create", "product/variant/upsert"] as const)(
      "%s creates no variant for an item that is not a product",
      async (intent) => {
        const folder = await create(shop(), "folder");
        const payload = { sku: "a", name: "A", language: "en" };
        expect(await shop().refused(intent, { ...payload, productId: unknownId })).toMatchObject({
          name: "ItemNotFoundError",
        });
        expect(await shop().refused(intent, { ...payload, productId: folder })).toMatchObject({
          name: "ConflictError",
        });
      },
    );

    test("variants are created after the others, updated and deleted", async () => {
      const productId = await product([{ sku: "a", name: "A" }]);
      const payload = {
        productId,
        sku: "b",
        name: "B",
        language: "en",
        externalReference: "erp-b",
        attributes: [{ attribute: "size", value: "L" }],
        priceVariants: [{ identifier: "b2b", price: 12.5 }],
        stockLocations: [{ identifier: "default", stock: 3, meta: [{ key: "bin", value: "7" }] }],
        images: [{ key: "b.jpg" }],
        videos: [{ key: "b.mp4" }],
        components: [width(40)],
      };
      expect(await shop().done("product/variant/create", payload)).toMatchObject({ action: "created" });
      const { name, attributes, components, language, sku, ...shared } = payload;
      expect(await variantBySku(shop(), "b")).toMatchObject({
        ...shared,
        position: 1,
        contents: { [language]: { name, attributes, components } },
      });
      const update = { sku, language, priceVariants: null, images: [], externalReference: null };
      expect(await shop().done("product/variant/update", update)).toMatchObject({ action: "updated" });
      expect(await variantBySku(shop(), "b")).toMatchObject({
        priceVariants: [],
        images: [],
        externalReference: null,
        stockLocations: payload.stockLocations,
        contents: { en: { name, attributes, components } },
      });
      expect(await shop().done("product/variant/delete", { sku })).toMatchObject({ action: "deleted" });
      expect(await skusOf(productId)).toEqual(["a*"]);
    });

    test("an update that makes a variant the default unmarks the other one", async () => {
      const productId = await product([
        { sku: "a", name: "A" },
        { sku: "b", name: "B" },
      ]);
      const mark = (sku: string, isDefault: boolean) =>
        ["product/variant/update", { sku, language: "en", isDefault }] as const;
      expect(await shop().done(...mark("b", true))).toMatchObject({ action: "updated" });
      expect(shop().statements.execute).toBe(0);
      expect(await skusOf(productId)).toEqual(["a", "b*"]);
      expect(await shop().done(...mark("b", true))).toMatchObject({ action: "unchanged" });
      expect(await shop().done(...mark("b", false))).toMatchObject({ action: "unchanged" });
      expect(await skusOf(productId)).toEqual(["a", "b*"]);
    });

    test("variants keep their other languages, also in an update of the product", async () => {
      const itemId = await product([{ sku: "a", name: "Oak", components: [width(40)] }]);
      await shop().done("product/variant/update", { sku: "a", language: "no", name: "Eik" });
      await shop().done("product/update", { itemId, language: "en", variants: [{ sku: "a", name: "Ash" }] });
      expect((await variantBySku(shop(), "a"))?.contents).toEqual({
        en: { name: "Ash", attributes: [], components: [width(40)] },
        no: { name: "Eik", attributes: [], components: [] },
      });
    });

    test("a variant has no content in a language in which only shared fields were sent", async () => {
      await product([{ sku: "a", name: "Oak" }]);
      await shop().done("product/variant/update", { sku: "a", language: "no", images: [{ key: "a.jpg" }] });
      expect(Object.keys((await variantBySku(shop(), "a"))?.contents ?? {})).toEqual(["en"]);
    });

    test("an upsert that changes nothing does not write the variant", async () => {
      const productId = await product([{ sku: "a", name: "A" }]);
      const payload = {
        productId,
        sku: "b",
        name: "B",
        language: "en",
        components: [width(4)],
        attributes: [],
      };
      await shop().done("product/variant/upsert", payload);
      const before = await shop().all(productVariants);
      expect(await shop().done("product/variant/upsert", payload)).toMatchObject({ action: "unchanged" });
      expect(shop().statements.flush).toBe(0);
      expect(await shop().all(productVariants)).toEqual(before);
    });
  });

  test("an upsert of the variants that are there changes nothing where one between them was deleted", async () => {
    const itemId = await product(["a", "b", "c"].map((sku) => ({ sku, name: sku })));
    await shop().done("product/variant/delete", { sku: "b" });
    const update = (...skus: string[]) =>
      shop().done("product/update", {
        ...{ itemId, language: "en", variants: skus.map((sku) => ({ sku, name: sku })) },
      });
    expect(await update("a", "c")).toMatchObject({ action: "unchanged" });
    expect(await update("c", "a")).toMatchObject({ action: "updated" });
    expect(await skusOf(itemId)).toEqual(["c", "a*"]);
    expect(await update("c", "d", "a")).toMatchObject({ action: "updated" });
    expect(await skusOf(itemId)).toEqual(["c", "d", "a*"]);
  });

  test("publishing changes nothing where a variant came and went before the published one", async () => {
    const itemId = await product([{ sku: "a", name: "a" }]);
    const publish = () => shop().done("item/publish", { itemId, language: "en" });
    expect(await publish()).toMatchObject({ action: "published" });
    const variants = ["b", "a"].map((sku) => ({ sku, name: sku }));
    await shop().done("product/update", { itemId, language: "en", variants });
    await shop().done("product/variant/delete", { sku: "b" });
    expect(await publish()).toMatchObject({ action: "unchanged" });
  });

  test("one update can swap the SKUs of two variants", async () => {
    const itemId = await product([
      { sku: "a", name: "Red", attributes: [{ attribute: "color", value: "red" }] },
      { sku: "b", name: "Blue", attributes: [{ attribute: "color", value: "blue" }] },
    ]);
    const variants = [
      { sku: "b", name: "Red", attributes: [{ attribute: "color", value: "red" }] },
      { sku: "a", name: "Blue", attributes: [{ attribute: "color", value: "blue" }] },
    ];
    await shop().done("product/update", { itemId, language: "en", variants });
    expect((await variantsOf(shop(), itemId)).map(({ sku, contents }) => [sku, contents.en?.name])).toEqual([
      ["b", "Red"],
      ["a", "Blue"],
    ]);
  });

  test("a deleted product takes its variants with it", async () => {
    const itemId = await product([
      { sku: "a", name: "A" },
      { sku: "b", name: "B" },
    ]);
    await shop().done("item/delete", { itemId });
    expect([await shop().all(productVariants), await shop().get(items, itemId)]).toEqual([[], undefined]);
  });
});
