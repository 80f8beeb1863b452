import type { JsonPath } from "@lading/schema";
import { reject } from "../../errors.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { limitCheck } from "../payload/limit-check.ts";
import { requireLanguage, requirePriceVariant, requireStockLocation } from "../settings/require.ts";
import { checkVariant, type VariantFields } from "./limits.ts";
import { checkVariantPlan } from "./plans.ts";
import { leastStock } from "./stock.ts";

/** Rejects the payload of a single variant that breaks a limit or names a setting that the tenant lacks. */
export function checkVariantPayload(tenant: Tenant, payload: VariantFields & { language: string }): void {
  requireLanguage(tenant, payload.language);
  const check = limitCheck();
  checkVariant(check, payload, []);
  check.end();
  checkVariantSettings(tenant, payload, []);
}

/** Rejects a variant that names a setting that the tenant lacks, or has less stock than the location allows. */
export function checkVariantSettings(tenant: Tenant, variant: VariantFields, path: JsonPath): void {
  variant.priceVariants?.forEach(({ identifier }, i) => {
    requirePriceVariant(tenant, identifier, [...path, "priceVariants", i, "identifier"]);
  });
  variant.stockLocations?.forEach(({ identifier, stock }, i) => {
    const place = [...path, "stockLocations", i];
    const location = requireStockLocation(tenant, identifier, [...place, "identifier"]);
    const least = leastStock(location);
    if (stock >= least) return;
    reject(
      "ValidationError",
      `"${variant.sku}" has a stock of ${stock} at "${identifier}"; ` +
        `it cannot be below ${least === 0 ? "zero" : `its minimum, ${least}`}`,
      [...place, "stock"],
    );
  });
  variant.subscriptionPlans?.forEach((plan, i) => {
    checkVariantPlan(tenant, plan, [...path, "subscriptionPlans", i]);
  });
}
