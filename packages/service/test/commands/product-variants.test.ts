import { beforeEach, describe, expect, test } from "vitest";
import { Rejection } from "../../src/errors.ts";
import { items } from "../../src/storage/collections/items.ts";
import { productVariants } from "../../src/storage/collections/product-variants.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { create, newItem, prepare, title, variantBySku, variantsOf, width } from "./item/support.ts";
import { list, some } from "./pricelist/support.ts";

const unknownId = "0123456789abcdef01234567";
/** A variant whose name is its SKU in capitals. */
const named = (sku: string, more: object = {}) => ({ sku, name: sku.toUpperCase(), ...more });

describeOnEngines("variants of products", (shop) => {
  beforeEach(() => prepare(shop()));
  const product = (variants: WrittenPayload[], more: WrittenPayload = {}) =>
    create(shop(), "product", { variants, ...more });

  /** SKUs in their order, the default one marked. */
  const skusOf = async (id: string) =>
    (await variantsOf(shop(), id)).map(({ sku, isDefault }) => (isDefault ? `${sku}*` : sku));

  const wrong: [what: string, variant: object, path: string, name?: string][] = [
    ["a price below 0", { priceVariants: [{ identifier: "default", price: -1 }] }, "priceVariants.0.price"],
    [
      "two prices of one price variant",
      {
        priceVariants: [
          { identifier: "default", price: 1 },
          { identifier: "default", price: 2 },
        ],
      },
      "priceVariants.1",
    ],
    [
      "a price variant that the tenant lacks",
      { priceVariants: [{ identifier: "nix", price: 1 }] },
      "priceVariants.0.identifier",
      "SettingNotFoundError",
    ],
    [
      "a stock location that the tenant lacks",
      { stockLocations: [{ identifier: "nix", stock: 1 }] },
      "stockLocations.0.identifier",
      "SettingNotFoundError",
    ],
    [
      "a stock below zero",
      { stockLocations: [{ identifier: "default", stock: -1 }] },
      "stockLocations.0.stock",
    ],
    [
      "content that the shape does not have",
      { components: [title("x")] },
      "components.0.componentId",
      "ComponentContentValidationFailedError",
    ],
  ];

  test.each(wrong)(
    "a variant is refused with %s, alone or in a product",
    async (_, variant, path, name = "ValidationError") => {
      const productId = await product([named("a")]);
      const payload = { sku: "b", name: "B", language: "en", productId, ...variant };
      const alone = await shop().refused("product/variant/upsert", payload);
      expect([alone.name, ...alone.errors.map(({ path }) => path.join("."))]).toEqual([name, path]);
      const variants = [named("c"), { sku: "d", name: "D", ...variant }];
      const refusal = await shop().refused("product/create", newItem(shop(), "product", { variants }));
      expect([refusal.name, ...refusal.errors.map(({ path }) => path.join("."))]).toEqual([
        name,
        `variants.1.${path}`,
      ]);
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
        const folder = await create(shop(), "folder", { resourceIdentifier: "shelf" });
        const payload = { sku: "a", name: "A", language: "en" };
        expect(await shop().refused(intent, { ...payload, productId: unknownId })).toMatchObject({
          name: "ItemNotFoundError",
          message: `There is no product ${unknownId} for the variant "a"`,
        });
        expect(await shop().refused(intent, { ...payload, productId: folder })).toMatchObject({
          name: "ConflictError",
          message: `The item "shelf" (${folder}) is a folder; only products have variants`,
        });
      },
    );

    test("variants are created after the others, updated and deleted", async () => {
      const productId = await product([named("a")]);
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
      const productId = await product([named("a"), named("b")]);
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
      const productId = await product([named("a")]);
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
    const itemId = await product([named("a"), named("b")]);
    await shop().done("item/delete", { itemId });
    expect([await shop().all(productVariants), await shop().get(items, itemId)]).toEqual([[], undefined]);
  });

  test("an update replaces a product's variants: matched by SKU, reordered, the others deleted", async () => {
    const itemId = await product([
      named("a", { stockLocations: [{ identifier: "default", stock: 5 }] }),
      named("b"),
      named("c"),
    ]);
    const [a] = await variantsOf(shop(), itemId);
    const variants = [named("d"), named("c"), { sku: "a", name: "A2" }];
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
      const variants = [{ sku: "a", name: "A", ...left }, named("c")];
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
        const owner = intent === "product/variant/upsert" ? { productId, name: "a" } : {};
        const payload = { ...owner, ...left, sku: "a", language: "en" };
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

  describe("a SKU", () => {
    test("a SKU with white space around it is refused for a new variant, and reaches one that has it", async () => {
      const odd = { sku: " odd ", name: "Odd" };
      const itemId = await product([{ sku: "even", name: "Even" }]);
      const refusals = [
        await shop().refused("product/create", newItem(shop(), "product", { variants: [odd] })),
        await shop().refused("product/update", {
          ...{ itemId, language: "en", variants: [{ sku: "even", name: "Even" }, odd] },
        }),
        await shop().refused("product/variant/upsert", { ...odd, productId: itemId, language: "en" }),
      ];
      expect(refusals.map(({ name, message, errors }) => [name, message, errors[0]?.path])).toEqual([
        ["ValidationError", 'variants[0].sku has white space around it; use "odd"', ["variants", 0, "sku"]],
        ["ValidationError", 'variants[1].sku has white space around it; use "odd"', ["variants", 1, "sku"]],
        ["ValidationError", 'sku has white space around it; use "odd"', ["sku"]],
      ]);
      await shop().database.execute("UPDATE product_variants SET sku = ' odd ' WHERE tenant_id = $1", [
        shop().tenant.id,
      ]);
      const more = { ...odd, name: "Odd still" };
      expect(
        await shop().done("product/variant/upsert", { ...more, productId: itemId, language: "en" }),
      ).toMatchObject({ action: "updated" });
      const update = { itemId, language: "en", variants: [odd, { sku: "new", name: "New" }] };
      expect((await shop().done("product/update", update)).action).toBe("updated");
      expect(await skusOf(itemId)).toEqual([" odd *", "new"]);
    });

    test("an external reference with white space around it does not become a SKU", async () => {
      const referred = newItem(shop(), "product", { externalReference: " erp-7", variants: undefined });
      expect(await shop().refused("product/upsert", referred)).toMatchObject({
        message: 'externalReference has white space around it; use "erp-7"',
        errors: [{ path: ["externalReference"] }],
      });
    });

    test("a SKU of another product is refused with that product's name and id, by every intent", async () => {
      const holder = await product([{ sku: "taken", name: "A" }], { name: "Armchair" });
      const mine = await product([{ sku: "mine", name: "B" }]);
      const attempts = [
        await shop().refused(
          "product/create",
          newItem(shop(), "product", { variants: [{ sku: "taken", name: "C" }] }),
        ),
        await shop().refused("product/update", {
          itemId: mine,
          language: "en",
          variants: [{ sku: "taken", name: "C" }],
        }),
        await shop().refused("product/variant/create", {
          productId: mine,
          sku: "taken",
          name: "C",
          language: "en",
        }),
        await shop().refused("product/variant/upsert", {
          productId: mine,
          sku: "taken",
          name: "C",
          language: "en",
        }),
      ];
      for (const refusal of attempts) {
        expect(refusal).toMatchObject({ name: "SkuTakenError", statusCode: 409 });
        expect(refusal.message).toContain(`"Armchair" (${holder})`);
      }
      expect(attempts.map(({ errors }) => errors[0]?.path)).toEqual([
        ["variants", 0, "sku"],
        ["variants", 0, "sku"],
        ["sku"],
        ["sku"],
      ]);
    });

    test("a SKU that a product got from its id, for want of one, cannot be created again", async () => {
      const { variants, ...rest } = newItem(shop(), "product");
      expect(variants).toHaveLength(1);
      const { output } = await shop().done("product/upsert", rest);
      const productId = output.id as string;
      const payload = { productId, sku: productId, name: "B", language: "en" };
      expect((await shop().refused("product/variant/create", payload)).name).toBe("SkuTakenError");
    });

    test("a SKU of the product itself cannot be created again", async () => {
      const productId = await product([named("a")]);
      const refusal = await shop().refused("product/variant/create", {
        productId,
        sku: "a",
        name: "B",
        language: "en",
      });
      expect(refusal.name).toBe("SkuTakenError");
    });

    test("a SKU that a product lists twice is refused", async () => {
      const variants = [named("a"), named("b"), { sku: "a", name: "C" }];
      const refusal = await shop().refused("product/create", newItem(shop(), "product", { variants }));
      expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["variants", 2, "sku"] }] });
      expect(refusal.message).toContain('variants[0] and variants[2] have the same SKU "a"');
    });

    test("a taken SKU is refused when an upsert without variants would give it to the default variant", async () => {
      await product([{ sku: "erp-1", name: "A" }]);
      const payload = newItem(shop(), "product", { externalReference: "erp-1" });
      const refusal = await shop().refused("product/upsert", { ...payload, variants: undefined });
      expect(refusal.name).toBe("SkuTakenError");
    });

    test("a SKU of 512 characters of four bytes each is stored and found", async () => {
      const sku = "🪑".repeat(256);
      await product([{ sku, name: "A" }]);
      expect(
        (await shop().done("product/variant/update", { sku, language: "en", name: "B" })).output,
      ).toEqual({ sku });
    });

    test("a SKU moves to another product in the batch that takes it from the first", async () => {
      const first = await product([named("a"), named("b")]);
      const second = await product([named("c")]);
      const outcomes = await shop().batch([
        ["product/update", { itemId: first, language: "en", variants: [named("a")] }],
        ["product/variant/create", { productId: second, sku: "b", name: "B", language: "en" }],
      ]);
      expect(outcomes.filter((outcome) => outcome instanceof Rejection)).toEqual([]);
      expect([await skusOf(first), await skusOf(second)]).toEqual([["a*"], ["c*", "b"]]);
    });

    test("two products can swap a SKU in one batch", async () => {
      const [one, two] = [await product([named("a")]), await product([named("b")])];
      const take = (itemId: string, ...skus: string[]) =>
        [
          "product/update",
          { itemId, language: "en", variants: skus.map((sku) => ({ sku, name: sku })) },
        ] as const;
      const outcomes = await shop().batch([[...take(one, "x")], [...take(two, "a")], [...take(one, "b")]]);
      expect(outcomes.filter((outcome) => outcome instanceof Rejection)).toEqual([]);
      expect([await skusOf(one), await skusOf(two)]).toEqual([["b*"], ["a*"]]);
    });
  });

  describe("the default", () => {
    test("a product cannot have two default variants", async () => {
      const variants = [named("a", { isDefault: true }), named("b"), named("c", { isDefault: true })];
      const refusal = await shop().refused("product/create", newItem(shop(), "product", { variants }));
      expect(refusal).toMatchObject({
        name: "ValidationError",
        errors: [{ path: ["variants", 2, "isDefault"] }],
      });
      expect(refusal.message).toContain('2 variants are marked as default ("a", "c")');
    });

    test("the default variant is the one that is marked, or the first", async () => {
      expect(await skusOf(await product([named("a"), named("b", { isDefault: false })]))).toEqual([
        "a*",
        "b",
      ]);
      expect(await skusOf(await product([named("c"), named("d", { isDefault: true })]))).toEqual(["c", "d*"]);
    });

    test("an update that marks no default keeps it, and takes the first variant when it is gone", async () => {
      const itemId = await product([named("a"), named("b", { isDefault: true })]);
      const update = (...skus: string[]) =>
        shop().done("product/update", {
          itemId,
          language: "en",
          variants: skus.map((sku) => ({ sku, name: sku })),
        });
      await update("c", "b");
      expect(await skusOf(itemId)).toEqual(["c", "b*"]);
      await update("d", "c");
      expect(await skusOf(itemId)).toEqual(["d*", "c"]);
    });

    test.each(["create", "upsert"])("product/variant/%s can move the default", async (verb) => {
      const productId = await product([named("a"), named("b")]);
      const sku = verb === "create" ? "c" : "b";
      const payload = { productId, sku, name: "X", language: "en", isDefault: true };
      await shop().done(verb === "create" ? "product/variant/create" : "product/variant/upsert", payload);
      expect(await skusOf(productId)).toEqual(verb === "create" ? ["a", "b", "c*"] : ["a", "b*"]);
    });

    test("isDefault: false does not unmark the default variant, because a product has one", async () => {
      const productId = await product([named("a"), named("b")]);
      const payload = { productId, sku: "a", name: "A", language: "en", isDefault: false };
      expect(await shop().done("product/variant/upsert", payload)).toMatchObject({ action: "unchanged" });
      expect(await skusOf(productId)).toEqual(["a*", "b"]);
    });

    test("the default variant cannot be deleted, and the only variant even less", async () => {
      await product([named("a"), named("b")]);
      await product([named("c")]);
      const [default_, only] = [
        await shop().refused("product/variant/delete", { sku: "a" }),
        await shop().refused("product/variant/delete", { sku: "c" }),
      ];
      expect([default_, only]).toMatchObject(
        Array(2).fill({ name: "CannotDeleteDefaultVariantError", statusCode: 409 }),
      );
      expect(default_.message).toContain("make another variant the default first");
      expect(only.message).toContain("the only one");
    });
  });
});
