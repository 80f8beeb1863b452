import { beforeEach, describe, expect, test } from "vitest";
import { addExactly } from "../../src/rules/stock.ts";
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

    test("is not decreased below zero, and the message says how much there is", async () => {
      const refusal = await shop().refused(...modify("decrease", 3));
      expect(refusal).toMatchObject({ name: "InsufficientStockError", statusCode: 409 });
      expect(refusal.message).toBe('"a" has 2.1 in stock at "default", so it cannot be decreased by 3');
      expect(await stock()).toMatchObject([{ stock: 2.1 }]);
    });

    test("is not modified at a location that the tenant lacks", async () => {
      const refusal = await shop().refused(...modify("increase", 1, "nix"));
      expect(refusal).toMatchObject({
        name: "SettingNotFoundError",
        errors: [{ path: ["stockLocationIdentifier"] }],
      });
      expect(refusal.message).toContain('"default", "backorder"');
    });

    test("is increased, decreased without drift, and overwritten", async () => {
      expect((await shop().done(...modify("increase", 1))).output).toEqual({ id });
      expect(await stock()).toEqual([
        { identifier: "default", stock: 3.1, meta: [{ key: "bin", value: "7" }] },
      ]);
      await shop().done(...modify("decrease", 3));
      expect(await stock()).toMatchObject([{ stock: 0.1 }]);
      await shop().done(...modify("overwrite", 12));
      expect(await stock()).toMatchObject([{ stock: 12 }]);
      expect(await shop().done(...modify("overwrite", 12))).toMatchObject({ action: "unchanged" });
    });

    test("begins at zero where there was none, and goes below where the location allows it", async () => {
      await shop().done(...modify("decrease", 5, "backorder"));
      expect(await stock()).toMatchObject([{}, { identifier: "backorder", stock: -5 }]);
    });

    test("adds up over one batch", async () => {
      await shop().batch(Array.from({ length: 50 }, () => [...modify("increase", 2)]));
      expect(await stock()).toMatchObject([{ stock: 102.1 }]);
    });
  });

  describe("their price", () => {
    const modify = (price: number, priceVariantIdentifier = "default") =>
      ["product/variant/price/modify", { sku: "a", price, priceVariantIdentifier }] as const;

    test("is not modified beyond the limit or in a price variant that the tenant lacks", async () => {
      await product([{ sku: "a", name: "A" }]);
      for (const price of [1e9 + 0.01, -1e9 - 1])
        expect(await shop().refused(...modify(price))).toMatchObject({
          name: "ValidationError",
          message: `price is ${price}; use a number from -1000000000 to 1000000000`,
          errors: [{ path: ["price"] }],
        });
      expect(await shop().refused(...modify(1, "nix"))).toMatchObject({
        name: "SettingNotFoundError",
        errors: [{ path: ["priceVariantIdentifier"] }],
      });
    });

    test("is modified and added", async () => {
      const id = await product([
        { sku: "a", name: "A", priceVariants: [{ identifier: "default", price: 10 }] },
      ]);
      expect((await shop().done(...modify(12.34))).output).toEqual({ id, sku: "a" });
      await shop().done(...modify(0, "b2b"));
      await shop().done(...modify(8, "b2b"));
      expect((await variantBySku(shop(), "a"))?.priceVariants).toEqual([
        { identifier: "default", price: 12.34 },
        { identifier: "b2b", price: 8 },
      ]);
      expect(await shop().done(...modify(8, "b2b"))).toMatchObject({ action: "unchanged" });
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
  ])("of %d and %d is %d", (a, b, sum) => {
    expect(addExactly(a, b)).toBe(sum);
  });

  test.each([
    [Number.MAX_SAFE_INTEGER, 1],
    [9007199254740991, 0.5],
    [1e300, 1],
    [Number.MAX_VALUE, Number.MAX_VALUE],
  ])("of %d and %d is not rounded but refused", (a, b) => {
    expect(addExactly(a, b)).toBeUndefined();
  });
});
