import type { JsonPath } from "@lading/schema";
import { priceRange, type VariantInput } from "@lading/schema";
import { checkOnce, type LimitCheck } from "../payload/limit-check.ts";
import { checkPlanPrices } from "./plan-prices.ts";

/** The fields of a variant in a payload; an update may leave any of them out. */
export type VariantFields = Partial<VariantInput>;

type PriceVariant = NonNullable<VariantInput["priceVariants"]>[number];

/** Limits in characters, units of the currency, and members of a list. */
const limits = {
  sku: { min: 1, max: 512 },
  name: { max: 1024 },
  externalReference: { min: 1, max: 256 },
  attribute: { max: 128 },
  value: { max: 2048 },
  threshold: { min: 0, max: 1e9 },
  tiers: 100,
};

/** Collects the broken limits of one variant; `path` leads to it in the payload. */
export function checkVariant(check: LimitCheck, variant: VariantFields, path: JsonPath): void {
  check.length(variant.sku, limits.sku, [...path, "sku"]);
  check.length(variant.name, limits.name, [...path, "name"]);
  check.length(variant.externalReference, limits.externalReference, [...path, "externalReference"]);
  variant.attributes?.forEach(({ attribute, value }, i) => {
    check.length(attribute, limits.attribute, [...path, "attributes", i, "attribute"]);
    check.length(value, limits.value, [...path, "attributes", i, "value"]);
  });
  variant.priceVariants?.forEach((price, i) => {
    checkPrices(check, price, [...path, "priceVariants", i]);
  });
  checkPlanPrices(check, variant.subscriptionPlans, [...path, "subscriptionPlans"]);
  checkOnce(check, variant.priceVariants, "identifier", [...path, "priceVariants"]);
  checkOnce(check, variant.stockLocations, "identifier", [...path, "stockLocations"]);
}

/** Collects the broken limits of a price and its tiers; `path` leads to the object that has them. */
export function checkPrices(
  check: LimitCheck,
  { price, tiers }: Pick<PriceVariant, "price" | "tiers">,
  path: JsonPath,
): void {
  checkPrice(check, price, [...path, "price"]);
  if (!tiers) return;
  check.count(tiers, limits.tiers, [...path, "tiers"]);
  const thresholds = new Set<number>();
  for (const [i, tier] of tiers.slice(0, limits.tiers).entries()) {
    const place = [...path, "tiers", i];
    checkPrice(check, tier.price, [...place, "price"]);
    check.range(tier.threshold, limits.threshold, [...place, "threshold"]);
    if (thresholds.has(tier.threshold))
      check.add(`Two tiers have the threshold ${tier.threshold}; each needs one of its own`, [
        ...place,
        "threshold",
      ]);
    thresholds.add(tier.threshold);
  }
}

/** Collects a price that is negative or beyond the limit. */
export function checkPrice(check: LimitCheck, price: number, path: JsonPath): void {
  check.range(price, priceRange, path);
}
