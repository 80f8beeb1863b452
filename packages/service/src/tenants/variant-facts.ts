import type { StockLocation, TenantSettings } from "../storage/tenants/settings.ts";

/** Facts that a tenant's settings add to a stored variant, shared by queries and templates. */

interface Identified {
  identifier: string;
}

/** The entry for the first of the tenant's settings: a variant's `price` or `stock` is read from it. */
export const entryOfFirst = <Entry extends Identified>(
  entries: readonly Entry[],
  settings: readonly Identified[],
): Entry | undefined => entries.find(({ identifier }) => identifier === settings[0]?.identifier);

/** The name and the currency of a price variant; null if the settings no longer have it. */
export function priceVariantFacts({ priceVariants }: TenantSettings, identifier: string) {
  const setting = priceVariants.find((one) => one.identifier === identifier);
  return { name: setting?.name ?? null, currency: setting?.currency ?? null };
}

/** The name and the settings of a stock location; null if the settings no longer have it. */
export function stockLocationFacts({ stockLocations }: TenantSettings, identifier: string) {
  const setting = stockLocations.find((one) => one.identifier === identifier);
  return { name: setting?.name ?? null, settings: setting === undefined ? null : stockRules(setting) };
}

export const stockRules = ({ minimum = 0, unlimited = false }: StockLocation) => ({ minimum, unlimited });
