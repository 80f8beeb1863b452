import { beforeEach, describe, expect, test } from "vitest";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { publishedVariants } from "../../src/storage/collections/published-variants.ts";
import { describeOnEngines, type WrittenOperation } from "../support/commands.ts";
import { create, prepare, title, variantBySku } from "./item/support.ts";

const price = (amount: number, identifier = "default") => ({ identifier, price: amount });
const stock = (amount: number, identifier = "default") => ({ identifier, stock: amount });

describeOnEngines("published price and stock", (shop) => {
  const inLanguage = (language: string) => (itemId: string) => ({ itemId, language });
  const [en, no] = [inLanguage("en"), inLanguage("no")];
  const setPrice = (amount: number, priceVariantIdentifier = "default"): WrittenOperation => [
    "product/variant/price/modify",
    { sku: "a", price: amount, priceVariantIdentifier },
  ];
  const setStock = (operation: string, quantity: number, location = "default"): WrittenOperation => [
    "product/variant/stock/modify",
    { sku: "a", operation, quantity, stockLocationIdentifier: location },
  ];
  const rows = () => shop().all(publishedVariants);
  const row = async () => {
    const [{ priceVariants, stockLocations } = {}, another] = await rows();
    expect(another).toBeUndefined();
    return { priceVariants, stockLocations };
  };
  const published = async () =>
    (await shop().all(itemContents)).filter(({ version }) => version === "published");

  let itemId: string;
  beforeEach(async () => {
    await prepare(shop());
    itemId = await create(shop(), "product", {
      variants: [
        {
          sku: "a",
          name: "A",
          priceVariants: [price(10)],
          stockLocations: [{ ...stock(5), meta: [{ key: "bin", value: "7" }] }],
        },
      ],
    });
    const norwegian = { ...no(itemId), name: "Stol", components: [title("Eik")] };
    await shop().done("product/update", norwegian);
  });

  test("no published price and stock are kept for a variant that is not published", async () => {
    await shop().done(...setStock("increase", 1));
    expect(await rows()).toEqual([]);
    await shop().done("item/publish", en(itemId));
    const { productId } = (await variantBySku(shop(), "a")) ?? {};
    await shop().done("product/variant/create", { ...newVariant("b"), productId });
    expect(
      await shop().done("product/variant/stock/modify", { ...setStock("increase", 3)[1], sku: "b" }),
    ).toMatchObject({ action: "updated" });
    expect(await row()).toMatchObject({ stockLocations: [stock(6)] });
  });

  test("published price and stock are kept once for all languages, and not in their copies", async () => {
    await shop().done("item/publish", en(itemId));
    await shop().done("item/publish", no(itemId));
    expect(await rows()).toMatchObject([
      { productId: itemId, languages: ["en", "no"], priceVariants: [price(10)], stockLocations: [stock(5)] },
    ]);
    const copies = (await published()).flatMap(({ variants }) => variants ?? []);
    expect(copies.map(({ sku }) => sku)).toEqual(["a", "a"]);
    for (const copy of copies) expect(Object.keys(copy)).not.toContain("stockLocations");
  });

  test("published price and stock change immediately, without a newer published version", async () => {
    await shop().done("item/publish", en(itemId));
    const before = await published();
    await shop().done(...setPrice(12.5));
    await shop().done(...setPrice(9, "b2b"));
    await shop().done(...setStock("decrease", 2));
    await shop().done(...setStock("decrease", 4, "backorder"));
    expect(await row()).toEqual({
      priceVariants: [price(12.5), price(9, "b2b")],
      stockLocations: [{ ...stock(3), meta: [{ key: "bin", value: "7" }] }, stock(-4, "backorder")],
    });
    expect(await published()).toEqual(before);
    expect(await shop().done("item/publish", en(itemId))).toMatchObject({ action: "unchanged" });
  });

  test("a version that is published already stays so when a variant gets content in another language", async () => {
    await shop().done("item/publish", en(itemId));
    await shop().done("product/variant/update", { sku: "a", language: "no", name: "Stol" });
    expect(await shop().done("item/publish", en(itemId))).toMatchObject({ action: "unchanged" });
    await shop().done("product/variant/update", { sku: "a", language: "en", name: "Chair" });
    expect(await shop().done("item/publish", en(itemId))).toMatchObject({ action: "published" });
  });

  test("published price and stock become the draft's after a change, whatever they were", async () => {
    await shop().done("item/publish", en(itemId));
    const draft = {
      sku: "a",
      language: "en",
      priceVariants: [price(20), price(18, "b2b")],
      stockLocations: [stock(50)],
    };
    await shop().done("product/variant/update", draft);
    expect(await row()).toMatchObject({ priceVariants: [price(10)], stockLocations: [stock(5)] });
    await shop().done(...setStock("increase", 1));
    expect(await shop().done(...setPrice(20))).toMatchObject({ action: "updated" });
    expect(await row()).toMatchObject({ priceVariants: [price(20)], stockLocations: [stock(51)] });
    expect(await shop().done(...setPrice(20))).toMatchObject({ action: "unchanged" });
    expect(await shop().refused(...setStock("decrease", 52))).toMatchObject({
      name: "InsufficientStockError",
    });
  });

  test("publishing any language writes the draft's price and stock for all", async () => {
    await shop().done("item/publish", en(itemId));
    await shop().done("item/publish", no(itemId));
    const update = { sku: "a", language: "en", priceVariants: [price(20)], stockLocations: null };
    await shop().done("product/variant/update", update);
    expect(await shop().done("item/publish", no(itemId))).toMatchObject({ action: "published" });
    expect(await row()).toEqual({ priceVariants: [price(20)], stockLocations: [] });
    expect(await shop().done("item/publish", en(itemId))).toMatchObject({ action: "unchanged" });
  });

  describe("of a variant that was deleted", () => {
    beforeEach(async () => {
      await shop().done("product/variant/create", { ...newVariant("b"), productId: itemId });
      await shop().done("item/publish", en(itemId));
      await shop().done("item/publish", no(itemId));
      await shop().done("product/variant/delete", { sku: "b" });
    });
    const languages = async () => (await rows()).map((row) => row.languages);

    test("price and stock of a deleted variant stay while a published version has the variant", async () => {
      await shop().done("item/publish", en(itemId));
      expect((await languages()).sort()).toEqual([["en", "no"], ["no"]]);
      await shop().done("item/publish", no(itemId));
      expect(await languages()).toEqual([["en", "no"]]);
    });

    test.each([{}, { includeDescendants: true }])(
      "price and stock of a deleted variant go when the last version is unpublished, with %o",
      async (more) => {
        await shop().done("item/publish", en(itemId));
        await shop().done("item/unpublish", { ...no(itemId), ...more });
        expect(await languages()).toEqual([["en"]]);
        await shop().done("item/unpublish", { ...en(itemId), ...more });
        expect(await rows()).toEqual([]);
      },
    );

    test("price and stock of a deleted variant go with the item", async () => {
      await shop().done("item/delete", { itemId });
      expect(await rows()).toEqual([]);
    });
  });

  test("price and stock are published with all descendants, and read with the batch that modifies them", async () => {
    await shop().done("item/publish", { ...en(shop().tenant.rootItemId), includeDescendants: true });
    expect(await row()).toMatchObject({ stockLocations: [stock(5)] });
    await shop().batch([setStock("increase", 1), setPrice(11), setStock("increase", 1)]);
    expect(shop().statements.execute).toBe(0);
    expect(await row()).toMatchObject({ priceVariants: [price(11)], stockLocations: [stock(7)] });
  });

  test("a failed operation keeps the price and stock that earlier ones of its batch published", async () => {
    await shop().batch([
      ["item/publish", en(itemId)],
      setStock("increase", 2),
      setStock("decrease", 100),
      ["item/publish", en(itemId)],
    ]);
    expect(await row()).toMatchObject({ stockLocations: [stock(7)] });
  });
});

const newVariant = (sku: string) => ({ sku, name: sku, language: "en", stockLocations: [stock(1)] });
