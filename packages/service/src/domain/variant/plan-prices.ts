import type { VariantInput } from "@lading/schema";
import type { LimitCheck } from "../payload/limit-check.ts";

type Path = readonly (string | number)[];
type Plans = VariantInput["subscriptionPlans"];
type Phase = NonNullable<Plans>[number]["periods"][number]["recurring"];
type CheckPrice = (check: LimitCheck, price: number, path: Path) => void;

/** Collects the prices in subscription plans of a variant that are beyond the limit. */
export function checkPlanPrices(check: LimitCheck, plans: Plans, path: Path, checkPrice: CheckPrice): void {
  for (const [i, { periods }] of (plans ?? []).entries())
    for (const [j, { initial, recurring }] of periods.entries()) {
      const place = [...path, i, "periods", j];
      for (const [price, at] of [
        ...pricesOf(recurring, [...place, "recurring"]),
        ...(initial ? pricesOf(initial, [...place, "initial"]) : []),
      ])
        checkPrice(check, price, at);
    }
}

function* pricesOf({ priceVariants, meteredVariables }: Phase, path: Path): Generator<[number, Path]> {
  yield* pricesIn(priceVariants, path);
  for (const [i, { tiers }] of meteredVariables.entries())
    for (const [j, tier] of tiers.entries()) {
      const place = [...path, "meteredVariables", i, "tiers", j];
      yield [tier.price, [...place, "price"]];
      yield* pricesIn(tier.priceVariants, place);
    }
}

function* pricesIn(prices: Phase["priceVariants"], path: Path): Generator<[number, Path]> {
  for (const [i, { price }] of prices.entries()) yield [price, [...path, "priceVariants", i, "price"]];
}
