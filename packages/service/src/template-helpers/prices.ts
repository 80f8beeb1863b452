import type { ProductVariantRow } from "../storage/collections/product-variants.ts";
import type { TenantSettings } from "../storage/tenants/settings.ts";
import { priceVariantFacts, stockLocationFacts } from "../tenants/variant-facts.ts";

/** Adds the tenant's settings to prices, stocks and plans of a variant, with the names of the API. */

type Plan = ProductVariantRow["subscriptionPlans"][number];
type PlanPhase = Plan["periods"][number]["recurring"];

export const pricesEntity = <Price extends { identifier: string }>(
  prices: readonly Price[],
  settings: TenantSettings,
) => prices.map((price) => ({ ...price, ...priceVariantFacts(settings, price.identifier) }));

export const stocksEntity = (stocks: ProductVariantRow["stockLocations"], settings: TenantSettings) =>
  stocks.map((stock) => ({ ...stock, ...stockLocationFacts(settings, stock.identifier) }));

export const planEntity = (plan: Plan, settings: TenantSettings) => ({
  ...plan,
  periods: plan.periods.map((period) => ({
    ...period,
    ...(period.initial && { initial: phaseEntity(period.initial, settings) }),
    recurring: phaseEntity(period.recurring, settings),
  })),
});

const phaseEntity = (phase: PlanPhase, settings: TenantSettings) => ({
  ...phase,
  priceVariants: pricesEntity(phase.priceVariants, settings),
  meteredVariables: phase.meteredVariables.map((variable) => ({
    ...variable,
    tiers: variable.tiers.map((tier) => ({
      ...tier,
      priceVariants: pricesEntity(tier.priceVariants, settings),
    })),
  })),
});
