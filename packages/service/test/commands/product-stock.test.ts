import { beforeEach, describe, expect, test } from "vitest";
import { addExactly } from "../../src/domain/variant/stock.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { create, prepare, variantBySku } from "./item/support.ts";

describeOnEngines("the variants of a product: stock and prices", (shop) => {
  beforeEach(() => prepare(shop()));

  const product = (variants: WrittenPayload[]) => create(shop(), "product", { variants });

  describe("their stock", () => {
    const modify = (operation: string, quantity: number, stockLocationIdentifier = "default") =>
      ["product/variant/stock/modify", { sku: "a", operation, quantity, stockLocationIdentifier }] as const;
    const stock = async () => (await variantBySku(shop(), "a"))?.stockLocations;
    let id: string;
    beforeEach(async () => {
      id = await product([
        {
          sku: "a",
          name: "A",
          stockLocations: [{ identifier: "default", stock: 2.1, meta: [{ key: "bin", value: "7" }] }],
        },
      ]);
    });

    test("stock cannot be decreased below zero, and the message says how much there is", async () => {
      const refusal = await shop().refused(...modify("decrease", 3));
      expect(refusal).toMatchObject({ name: "InsufficientStockError", statusCode: 409 });
      expect(refusal.message).toBe('"a" has 2.1 in stock at "default", so it cannot be decreased by 3');
      expect(await stock()).toMatchObject([{ stock: 2.1 }]);
    });

    test("stock cannot be modified at a location that the tenant lacks", async () => {
      const refusal = await shop().refused(...modify("increase", 1, "nix"));
      expect(refusal).toMatchObject({
        name: "SettingNotFoundError",
        errors: [{ path: ["stockLocationIdentifier"] }],
      });
      expect(refusal.message).toContain('"default", "backorder"');
    });

    test("stock can be overwritten with 0, but not increased or decreased by it", async () => {
      for (const operation of ["increase", "decrease"])
        expect(await shop().refused(...modify(operation, 0))).toMatchObject({
          name: "ValidationError",
          message: `quantity is 0; to ${operation} stock, use a whole number from 1 (only overwrite takes 0)`,
          errors: [{ path: ["quantity"] }],
        });
      await shop().done(...modify("overwrite", 0));
      expect(await stock()).toMatchObject([{ stock: 0 }]);
    });

    test("stock can be increased, decreased without drift, and overwritten", async () => {
      expect((await shop().done(...modify("increase", 1))).output).toEqual({ id, sku: "a" });
      expect(await stock()).toEqual([
        { identifier: "default", stock: 3.1, meta: [{ key: "bin", value: "7" }] },
      ]);
      await shop().done(...modify("decrease", 3));
      expect(await stock()).toMatchObject([{ stock: 0.1 }]);
      await shop().done(...modify("overwrite", 12));
      expect(await stock()).toMatchObject([{ stock: 12 }]);
      expect(await shop().done(...modify("overwrite", 12))).toMatchObject({ action: "unchanged" });
    });

    test("stock begins at zero where there was none, and goes below where the location allows it", async () => {
      await shop().done(...modify("decrease", 5, "backorder"));
      expect(await stock()).toMatchObject([{}, { identifier: "backorder", stock: -5 }]);
    });

    test("changes of stock add up over one batch", async () => {
      await shop().batch(Array.from({ length: 50 }, () => [...modify("increase", 2)]));
      expect(await stock()).toMatchObject([{ stock: 102.1 }]);
    });
  });

  describe("their price", () => {
    const modify = (price: number, priceVariantIdentifier = "default", more: object = {}) =>
      ["product/variant/price/modify", { sku: "a", price, priceVariantIdentifier, ...more }] as const;
    const prices = async () => (await variantBySku(shop(), "a"))?.priceVariants;
    const tiers = {
      tierType: "volume",
      tiers: [
        { threshold: 10, price: 9 },
        { threshold: 100, price: 0 },
      ],
    };

    test("a price cannot be modified beyond the limit, or in a price variant that the tenant lacks", async () => {
      await product([{ sku: "a", name: "A" }]);
      for (const price of [1e9 + 0.01, -0.01, -3])
        expect(await shop().refused(...modify(price))).toMatchObject({
          name: "ValidationError",
          message: `price is ${price}; use a number from 0 to 1000000000`,
          errors: [{ path: ["price"] }],
        });
      expect(await shop().refused(...modify(1, "nix"))).toMatchObject({
        name: "SettingNotFoundError",
        errors: [{ path: ["priceVariantIdentifier"] }],
      });
    });

    test("a price can be modified and added", async () => {
      const id = await product([
        { sku: "a", name: "A", priceVariants: [{ identifier: "default", price: 10 }] },
      ]);
      expect((await shop().done(...modify(12.34))).output).toEqual({ id, sku: "a" });
      await shop().done(...modify(0, "b2b"));
      await shop().done(...modify(8, "b2b"));
      expect(await prices()).toEqual([
        { identifier: "default", price: 12.34 },
        { identifier: "b2b", price: 8 },
      ]);
      expect(await shop().done(...modify(8, "b2b"))).toMatchObject({ action: "unchanged" });
    });

    test.each([
      [
        "a tier's price below 0",
        [{ threshold: 1, price: -1 }],
        ["tiers", 0, "price"],
        /tiers\[0\]\.price is -1; use a number from 0/,
      ],
      [
        "a threshold below 0",
        [{ threshold: -1, price: 1 }],
        ["tiers", 0, "threshold"],
        /threshold is -1; use a number from 0/,
      ],
      [
        "two tiers with one threshold",
        [
          { threshold: 5, price: 2 },
          { threshold: 5, price: 1 },
        ],
        ["tiers", 1, "threshold"],
        /Two tiers have the threshold 5; each needs one of its own/,
      ],
      [
        "more than 100 tiers",
        Array.from({ length: 101 }, (_, threshold) => ({ threshold, price: 1 })),
        ["tiers"],
        /tiers lists 101; the limit is 100/,
      ],
    ])("%s is refused, by a modification and within a variant", async (_, tiers, path, message) => {
      const itemId = await product([{ sku: "a", name: "A" }]);
      const modification = await shop().refused(...modify(1, "default", { tiers }));
      expect(modification).toMatchObject({ name: "ValidationError", errors: [{ path }] });
      expect(modification.message).toMatch(message);
      const variants = [{ sku: "a", name: "A", priceVariants: [{ identifier: "default", price: 1, tiers }] }];
      const update = await shop().refused("product/update", { itemId, language: "en", variants });
      expect(update.errors[0]?.path).toEqual(["variants", 0, "priceVariants", 0, ...path]);
    });

    test("price tiers stay when only the price is modified, and go when they are null", async () => {
      await product([
        { sku: "a", name: "A", priceVariants: [{ identifier: "default", price: 10, ...tiers }] },
      ]);
      expect(await prices()).toEqual([{ identifier: "default", price: 10, ...tiers }]);
      await shop().done(...modify(11));
      expect(await prices()).toEqual([{ identifier: "default", price: 11, ...tiers }]);
      await shop().done(...modify(11, "default", { tierType: null, tiers: null }));
      expect(await prices()).toMatchObject([{ price: 11, tierType: null, tiers: null }]);
      await shop().done(...modify(8, "b2b", tiers));
      expect(await prices()).toMatchObject([{}, { identifier: "b2b", price: 8, ...tiers }]);
    });

    test("a price below 0 that was once stored does not keep the variant from being changed", async () => {
      const id = await product([{ sku: "a", name: "A" }]);
      await shop().database.execute(
        `UPDATE product_variants SET price_variants = '[{"identifier": "default", "price": -3}]'
         WHERE tenant_id = $1 AND product_id = $2`,
        [shop().tenant.id, id],
      );
      await shop().done(...modify(5, "b2b"));
      await shop().done("product/variant/update", { sku: "a", language: "en", name: "Renamed" });
      expect(await prices()).toEqual([
        { identifier: "default", price: -3 },
        { identifier: "b2b", price: 5 },
      ]);
    });
  });
});

describe("the sum of stock", () => {
  test.each([
    [0.1, 0.2, 0.3],
    [1.1, -1, 0.1],
    [1e21, 1e21, 2e21],
    [-0.5, 0.5, 0],
    [1e-7, 2e-7, 3e-7],
    [7, 8, 15],
  ])("the sum of %d and %d is exactly %d", (a, b, sum) => {
    expect(addExactly(a, b)).toBe(sum);
  });

  test.each([
    [Number.MAX_SAFE_INTEGER, 1],
    [9007199254740991, 0.5],
    [1e300, 1],
    [Number.MAX_VALUE, Number.MAX_VALUE],
  ])("the sum of %d and %d is refused, not rounded", (a, b) => {
    expect(addExactly(a, b)).toBeUndefined();
  });
});
