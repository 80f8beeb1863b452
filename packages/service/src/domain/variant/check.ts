import { type JsonPath, priceRange, type VariantInput } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import type { StockLocation, SubscriptionPlan } from "../../storage/tenants/settings.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { checkOnce, type LimitCheck, limitCheck } from "../payload/limit-check.ts";
import {
  requireLanguage,
  requireMeteredVariable,
  requirePlanPeriod,
  requirePriceVariant,
  requireStockLocation,
  requireSubscriptionPlan,
} from "../settings/require.ts";
import { leastStock } from "./stock.ts";

/** The fields of a variant in a payload; all are optional in an update. */
export type VariantFields = Partial<VariantInput>;

type PriceVariant = NonNullable<VariantInput["priceVariants"]>[number];
type VariantPlan = NonNullable<VariantFields["subscriptionPlans"]>[number];
type PlanPhase = VariantPlan["periods"][number]["recurring"];

/** Rejects a single variant's payload that breaks a limit or names an unknown setting. */
export function checkVariantPayload(tenant: Tenant, payload: VariantFields & { language: string }): void {
  requireLanguage(tenant, payload.language);
  const check = limitCheck();
  checkVariant(check, payload, []);
  check.end();
  checkVariantSettings(tenant, payload, []);
}

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

/** Collects a variant's broken limits; `path` is its path in the payload. */
export function checkVariant(check: LimitCheck, variant: VariantFields, path: JsonPath): void {
  const { attributes, priceVariants, stockLocations, subscriptionPlans } = variant;
  check.length(variant.sku, limits.sku, path, "sku");
  check.length(variant.name, limits.name, path, "name");
  check.length(variant.externalReference, limits.externalReference, path, "externalReference");
  attributes?.forEach(({ attribute, value }, i) => {
    const fieldPath = [...path, "attributes", i];
    check.length(attribute, limits.attribute, fieldPath, "attribute");
    check.length(value, limits.value, fieldPath, "value");
  });
  priceVariants?.forEach((price, i) => {
    checkPrices(check, price, [...path, "priceVariants", i]);
  });
  if (subscriptionPlans) checkPlanPrices(check, subscriptionPlans, [...path, "subscriptionPlans"]);
  if (hasSeveral(priceVariants)) checkOnce(check, priceVariants, "identifier", [...path, "priceVariants"]);
  if (hasSeveral(stockLocations)) checkOnce(check, stockLocations, "identifier", [...path, "stockLocations"]);
}

const hasSeveral = <Member>(list: readonly Member[] | null | undefined): list is readonly Member[] =>
  (list?.length ?? 0) > 1;

/** Collects the broken limits of a price and its tiers; `path` is the path of their object. */
export function checkPrices(
  check: LimitCheck,
  { price, tiers }: Pick<PriceVariant, "price" | "tiers">,
  path: JsonPath,
): void {
  check.range(price, priceRange, path, "price");
  if (!tiers) return;
  check.count(tiers, limits.tiers, path, "tiers");
  const thresholds = new Set<number>();
  for (const [i, tier] of tiers.slice(0, limits.tiers).entries()) {
    const fieldPath = [...path, "tiers", i];
    check.range(tier.price, priceRange, fieldPath, "price");
    check.range(tier.threshold, limits.threshold, fieldPath, "threshold");
    if (thresholds.has(tier.threshold))
      check.add(`Two tiers have the threshold ${tier.threshold}; each needs one of its own`, [
        ...fieldPath,
        "threshold",
      ]);
    thresholds.add(tier.threshold);
  }
}

/** Collects a price that is negative or beyond the limit. */
export function checkPrice(check: LimitCheck, price: number, path: JsonPath): void {
  check.range(price, priceRange, path);
}

function checkPlanPrices(check: LimitCheck, plans: readonly VariantPlan[], path: JsonPath): void {
  for (const [i, { periods }] of plans.entries())
    for (const [j, { initial, recurring }] of periods.entries()) {
      const fieldPath = [...path, i, "periods", j];
      for (const [price, at] of [
        ...pricesOf(recurring, [...fieldPath, "recurring"]),
        ...(initial ? pricesOf(initial, [...fieldPath, "initial"]) : []),
      ])
        check.range(price, priceRange, at);
    }
}

function* pricesOf(
  { priceVariants, meteredVariables }: PlanPhase,
  path: JsonPath,
): Generator<[number, JsonPath]> {
  yield* pricesIn(priceVariants, path);
  for (const [i, { tiers }] of meteredVariables.entries())
    for (const [j, tier] of tiers.entries()) {
      const fieldPath = [...path, "meteredVariables", i, "tiers", j];
      yield [tier.price, [...fieldPath, "price"]];
      yield* pricesIn(tier.priceVariants, fieldPath);
    }
}

function* pricesIn(prices: PlanPhase["priceVariants"], path: JsonPath): Generator<[number, JsonPath]> {
  for (const [i, { price }] of prices.entries()) yield [price, [...path, "priceVariants", i, "price"]];
}

/** Rejects a variant that names an unknown setting, or has less stock than the location allows. */
export function checkVariantSettings(tenant: Tenant, variant: VariantFields, path: JsonPath): void {
  variant.priceVariants?.forEach(({ identifier }, i) => {
    requirePriceVariant(tenant, identifier, [...path, "priceVariants", i, "identifier"]);
  });
  variant.stockLocations?.forEach(({ identifier, stock }, i) => {
    const fieldPath = [...path, "stockLocations", i];
    const location = requireStockLocation(tenant, identifier, [...fieldPath, "identifier"]);
    refuseLowStock(variant.sku ?? "", location, stock, [...fieldPath, "stock"]);
  });
  variant.subscriptionPlans?.forEach((plan, i) => {
    checkVariantPlan(tenant, plan, [...path, "subscriptionPlans", i]);
  });
}

/** Rejects stock below what its location allows. `sku` is for the message. */
export function refuseLowStock(sku: string, location: StockLocation, stock: number, path: JsonPath): void {
  const least = leastStock(location);
  if (stock >= least) return;
  reject(
    "ValidationError",
    `"${sku}" has a stock of ${stock} at "${location.identifier}"; ` +
      `it cannot be below ${least === 0 ? "zero" : `its minimum, ${least}`}`,
    path,
  );
}

/** Rejects a variant's plan that names an unknown plan, period, metered variable or price variant. */
function checkVariantPlan(tenant: Tenant, { identifier, periods }: VariantPlan, path: JsonPath): void {
  const plan = requireSubscriptionPlan(tenant, identifier, [...path, "identifier"]);
  for (const [i, { id, initial, recurring }] of periods.entries()) {
    const fieldPath = [...path, "periods", i];
    requirePlanPeriod(plan, id, [...fieldPath, "id"]);
    if (initial) checkPlanPhase(tenant, plan, initial, [...fieldPath, "initial"]);
    checkPlanPhase(tenant, plan, recurring, [...fieldPath, "recurring"]);
  }
}

function checkPlanPhase(
  tenant: Tenant,
  plan: SubscriptionPlan,
  { priceVariants, meteredVariables }: PlanPhase,
  path: JsonPath,
): void {
  checkPlanPriceVariants(tenant, priceVariants, path);
  for (const [i, { id, tiers }] of meteredVariables.entries()) {
    const fieldPath = [...path, "meteredVariables", i];
    requireMeteredVariable(plan, "id", id, [...fieldPath, "id"]);
    for (const [j, tier] of tiers.entries())
      checkPlanPriceVariants(tenant, tier.priceVariants, [...fieldPath, "tiers", j]);
  }
}

function checkPlanPriceVariants(tenant: Tenant, prices: PlanPhase["priceVariants"], path: JsonPath): void {
  for (const [i, { identifier }] of prices.entries())
    requirePriceVariant(tenant, identifier, [...path, "priceVariants", i, "identifier"]);
}
