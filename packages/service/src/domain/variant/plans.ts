import type { JsonPath } from "@lading/schema";
import type { SubscriptionPlan } from "../../storage/tenants/settings.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import {
  requireMeteredVariable,
  requirePlanPeriod,
  requirePriceVariant,
  requireSubscriptionPlan,
} from "../settings/require.ts";
import type { VariantFields } from "./limits.ts";

type VariantPlan = NonNullable<VariantFields["subscriptionPlans"]>[number];
type Phase = VariantPlan["periods"][number]["recurring"];

/** Rejects a plan of a variant that names a plan, period, metered variable or price variant that the tenant lacks. */
export function checkVariantPlan(tenant: Tenant, { identifier, periods }: VariantPlan, path: JsonPath): void {
  const plan = requireSubscriptionPlan(tenant, identifier, [...path, "identifier"]);
  for (const [i, { id, initial, recurring }] of periods.entries()) {
    const place = [...path, "periods", i];
    requirePlanPeriod(plan, id, [...place, "id"]);
    if (initial) checkPhase(tenant, plan, initial, [...place, "initial"]);
    checkPhase(tenant, plan, recurring, [...place, "recurring"]);
  }
}

function checkPhase(
  tenant: Tenant,
  plan: SubscriptionPlan,
  { priceVariants, meteredVariables }: Phase,
  path: JsonPath,
): void {
  checkPrices(tenant, priceVariants, path);
  for (const [i, { id, tiers }] of meteredVariables.entries()) {
    const place = [...path, "meteredVariables", i];
    requireMeteredVariable(plan, "id", id, [...place, "id"]);
    for (const [j, tier] of tiers.entries()) checkPrices(tenant, tier.priceVariants, [...place, "tiers", j]);
  }
}

function checkPrices(tenant: Tenant, prices: Phase["priceVariants"], path: JsonPath): void {
  for (const [i, { identifier }] of prices.entries())
    requirePriceVariant(tenant, identifier, [...path, "priceVariants", i, "identifier"]);
}
