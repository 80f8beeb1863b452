import { beforeEach, describe, expect, test } from "vitest";
import { Rejection } from "../../src/errors.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { create, newItem, prepare, variantsOf } from "./item/support.ts";

describeOnEngines("the variants of a product: SKUs and the default", (shop) => {
  beforeEach(() => prepare(shop()));

  const product = (variants: WrittenPayload[], more: WrittenPayload = {}) =>
    create(shop(), "product", { variants, ...more });

  /** SKUs in their order, the default one marked. */
  const skusOf = async (id: string) =>
    (await variantsOf(shop(), id)).map(({ sku, isDefault }) => (isDefault ? `${sku}*` : sku));

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
      const productId = await product([{ sku: "a", name: "A" }]);
      const refusal = await shop().refused("product/variant/create", {
        productId,
        sku: "a",
        name: "B",
        language: "en",
      });
      expect(refusal.name).toBe("SkuTakenError");
    });

    test("a SKU that a product lists twice is refused", async () => {
      const variants = [
        { sku: "a", name: "A" },
        { sku: "b", name: "B" },
        { sku: "a", name: "C" },
      ];
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
      const first = await product([
        { sku: "a", name: "A" },
        { sku: "b", name: "B" },
      ]);
      const second = await product([{ sku: "c", name: "C" }]);
      const outcomes = await shop().batch([
        ["product/update", { itemId: first, language: "en", variants: [{ sku: "a", name: "A" }] }],
        ["product/variant/create", { productId: second, sku: "b", name: "B", language: "en" }],
      ]);
      expect(outcomes.filter((outcome) => outcome instanceof Rejection)).toEqual([]);
      expect([await skusOf(first), await skusOf(second)]).toEqual([["a*"], ["c*", "b"]]);
    });

    test("two products can swap a SKU in one batch", async () => {
      const [one, two] = [await product([{ sku: "a", name: "A" }]), await product([{ sku: "b", name: "B" }])];
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
      const variants = [
        { sku: "a", name: "A", isDefault: true },
        { sku: "b", name: "B" },
        { sku: "c", name: "C", isDefault: true },
      ];
      const refusal = await shop().refused("product/create", newItem(shop(), "product", { variants }));
      expect(refusal).toMatchObject({
        name: "ValidationError",
        errors: [{ path: ["variants", 2, "isDefault"] }],
      });
      expect(refusal.message).toContain('2 variants are marked as default ("a", "c")');
    });

    test("the default variant is the one that is marked, or the first", async () => {
      expect(
        await skusOf(
          await product([
            { sku: "a", name: "A" },
            { sku: "b", name: "B", isDefault: false },
          ]),
        ),
      ).toEqual(["a*", "b"]);
      expect(
        await skusOf(
          await product([
            { sku: "c", name: "C" },
            { sku: "d", name: "D", isDefault: true },
          ]),
        ),
      ).toEqual(["c", "d*"]);
    });

    test("an update that marks no default keeps it, and takes the first variant when it is gone", async () => {
      const itemId = await product([
        { sku: "a", name: "A" },
        { sku: "b", name: "B", isDefault: true },
      ]);
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

    test.each(["create", "upsert"])(
      "the default moves to a variant that product/variant/%s marks",
      async (verb) => {
        const productId = await product([
          { sku: "a", name: "A" },
          { sku: "b", name: "B" },
        ]);
        const sku = verb === "create" ? "c" : "b";
        const payload = { productId, sku, name: "X", language: "en", isDefault: true };
        await shop().done(verb === "create" ? "product/variant/create" : "product/variant/upsert", payload);
        expect(await skusOf(productId)).toEqual(verb === "create" ? ["a", "b", "c*"] : ["a", "b*"]);
      },
    );

    test("isDefault: false does not unmark the default variant, because a product has one", async () => {
      const productId = await product([
        { sku: "a", name: "A" },
        { sku: "b", name: "B" },
      ]);
      const payload = { productId, sku: "a", name: "A", language: "en", isDefault: false };
      expect(await shop().done("product/variant/upsert", payload)).toMatchObject({ action: "unchanged" });
      expect(await skusOf(productId)).toEqual(["a*", "b"]);
    });

    test("the default variant cannot be deleted, and the only variant even less", async () => {
      await product([
        { sku: "a", name: "A" },
        { sku: "b", name: "B" },
      ]);
      await product([{ sku: "c", name: "C" }]);
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
