import { describe, expect, test } from "vitest";
import { orders } from "../../../src/storage/collections/orders.ts";
import { describeOnEngines } from "../../support/commands.ts";
import { id, line, order, price, writes } from "./support.ts";

const many = (count: number, make: (i: number) => unknown) =>
  Array.from({ length: count }, (_, i) => make(i));

describeOnEngines("an order", (shop) => {
  describe("breaks no limit", () => {
    const withLine = (more: object) => ({ cart: [line, { ...line, ...more }] });
    const withPrice = (more: object) => withLine({ price: { ...price, ...more } });
    const promotion = { identifier: "p", name: "P", mechanism: { type: "fixed", value: 1 } };
    const refusals: [field: string, more: object, message: RegExp][] = [
      ["cart", { cart: many(501, () => line) }, /501.*500/],
      ["appliedPromotions", { appliedPromotions: many(101, () => promotion) }, /101.*100/],
      ["relatedOrderIds", { relatedOrderIds: many(51, () => id) }, /51.*50/],
      ["additionalInformation", { additionalInformation: "x".repeat(10_241) }, /10241.*10240/],
      ["resourceIdentifier", { resourceIdentifier: "x".repeat(513) }, /513.*512/],
      ["customer.identifier", { customer: { identifier: "x".repeat(513) } }, /513.*512/],
      ["cart.1.quantity", withLine({ quantity: 1_000_000.5 }), /1000000\.5.*1000000/],
      ["cart.1.price.currency", withPrice({ currency: "x".repeat(11) }), /11.*10/],
      ["cart.1.price.tax.percent", withPrice({ tax: { percent: 1_001 } }), /1001.*1000/],
      [
        "cart.1.price.discounts.1.percent",
        withPrice({ discounts: [{ percent: 5 }, { percent: -1_001 }] }),
        /-1001.*-1000/,
      ],
      [
        "cart.1.price.taxBreakdown.0.tax.percent",
        withPrice({ taxBreakdown: [{ tax: { percent: 2_000 } }] }),
        /2000.*1000/,
      ],
      ["cart.1.subTotal.currency", withLine({ subTotal: { currency: "x".repeat(11) } }), /11.*10/],
      ["total.tax.percent", { total: { ...price, tax: { percent: 1_000.1 } } }, /1000\.1.*1000/],
      ["createdAt", { createdAt: "+012026-01-01T00:00:00Z" }, /12026.*9999/],
      ["createdAt", { createdAt: "0000-01-01T00:00:00Z" }, /year 0/],
    ];

    test.each(refusals)("an order is refused when its %s exceeds the limit", async (field, more, message) => {
      for (const intent of writes) {
        const refusal = await shop().refused(intent, order(more));
        expect(refusal).toMatchObject({ name: "ValidationError", statusCode: 400, message });
        expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([field]);
      }
      expect(await shop().all(orders)).toEqual([]);
    });

    test.each(refusals.filter(([field]) => field !== "createdAt"))(
      "an update of an order is refused when its %s exceeds the limit",
      async (_, more, message) => {
        await shop().done("order/upsert", order({ id }));
        const refusal = await shop().refused("order/update", { id, ...more });
        expect(refusal).toMatchObject({ name: "ValidationError", message });
      },
    );

    test("an order that reaches each of its limits is accepted", async () => {
      const most = {
        ...price,
        currency: "x".repeat(10),
        tax: { percent: 1_000 },
        discounts: [{ percent: -1_000 }],
      };
      const full = order({
        cart: many(500, () => ({ ...line, quantity: 1_000_000, price: most })),
        appliedPromotions: many(100, () => promotion),
        relatedOrderIds: many(50, () => id),
        additionalInformation: "x".repeat(10_240),
        resourceIdentifier: "€".repeat(512),
      });
      expect((await shop().done("order/register", full)).action).toBe("created");
    });

    test("the error names every limit that an order exceeds", async () => {
      const refusal = await shop().refused(
        "order/register",
        order({
          cart: [
            { ...line, quantity: 2e6 },
            { ...line, quantity: 3e6 },
          ],
        }),
      );
      expect(refusal.errors.map(({ path }) => path)).toEqual([
        ["cart", 0, "quantity"],
        ["cart", 1, "quantity"],
      ]);
    });
  });
});
