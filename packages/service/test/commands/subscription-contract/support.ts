import type { Shop } from "../../support/commands.ts";

export const id = "0123456789abcdef01234567";
export const [monthly, yearly] = ["a".repeat(24), "b".repeat(24)] as const;
const usage = "c".repeat(24);

const month = { period: 1, unit: "month" } as const;

/** The subscription plans of the tests: one with two periods and a metered variable, and one with neither. */
export const subscriptionPlans = [
  {
    ...{ identifier: "coffee", name: "Coffee" },
    periods: [
      { id: monthly, name: "Monthly", recurring: month },
      { id: yearly, name: "Yearly", recurring: { period: 1, unit: "year" as const } },
    ],
    meteredVariables: [{ id: usage, identifier: "cups", name: "Cups", unit: "cup" }],
  },
  {
    ...{ identifier: "tea", name: "Tea", meteredVariables: [] },
    periods: [{ id: monthly, name: "Monthly", recurring: month }],
  },
];

const tiers = [{ currency: "EUR", price: 0.1, threshold: 0 }];
export const metered = { identifier: "cups", tierType: "graduated", tiers };
export const recurring = { currency: "EUR", price: 9.99, period: 1, unit: "month" };
export const plan = { identifier: "coffee", periodId: monthly, periodName: "Monthly" };

export const contract = (more: object = {}) => ({
  ...{ customerIdentifier: "ada", subscriptionPlan: plan, item: { sku: "beans" }, recurring, status: {} },
  ...more,
});

/** The plans, the customer ada and variants with the SKUs beans and mug. */
export async function prepare(shop: Shop): Promise<void> {
  await shop.set({ subscriptionPlans });
  await shop.done("customer/create", { identifier: "ada", firstName: "Ada" });
  await shop.done("shape/create", { identifier: "goods", name: "Goods", type: "product" });
  const variants = ["beans", "mug"].map((sku) => ({ sku, name: sku }));
  const named = { language: "en", shapeIdentifier: "goods", name: "Goods", externalReference: "goods" };
  await shop.done("product/upsert", { ...named, variants });
}
