import type { JsonPath } from "@lading/schema";
import { priceRange, type VariantInput } from "@lading/schema";
import type { LimitCheck } from "../payload/limit-check.ts";

type Plans = VariantInput["subscriptionPlans"];
type Phase = NonNullable<Plans>[number]["periods"][number]["recurring"];

/** Collects the prices in the subscription plans of a variant that are beyond the limit. */
export function checkPlanPrices(check: LimitCheck, plans: Plans, path: JsonPath): void {
  for (const [i, { periods }] of (plans ?? []).entries())
    for (const [j, { initial, recurring }] of periods.entries()) {
      const place = [...path, i, "periods", j];
      for (const [price, at] of [
        ...pricesOf(recurring, [...place, "recurring"]),
        ...(initial ? pricesOf(initial, [...place, "initial"]) : []),
      ])
        check.range(price, priceRange, at);
    }
}

function* pricesOf(
  { priceVariants, meteredVariables }: Phase,
  path: JsonPath,
): Generator<[number, JsonPath]> {
  yield* pricesIn(priceVariants, path);
  for (const [i, { tiers }] of meteredVariables.entries())
    for (const [j, tier] of tiers.entries()) {
      const place = [...path, "meteredVariables", i, "tiers", j];
      yield [tier.price, [...place, "price"]];
      yield* pricesIn(tier.priceVariants, place);
    }
}

function* pricesIn(prices: Phase["priceVariants"], path: JsonPath): Generator<[number, JsonPath]> {
  for (const [i, { price }] of prices.entries()) yield [price, [...path, "priceVariants", i, "price"]];
}
