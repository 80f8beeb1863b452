import type { StockLocation } from "../../../storage/tenants/settings.ts";
import type { ReadKind } from "../dumped-tenant.ts";
import { operation } from "../operation.ts";

/**
 * Reads the settings. Each entry of a list with a default becomes its first, so that the last entry comes first in the
 * file: the order is the same also in a tenant that has some of them.
 */
export const readSettings: ReadKind = async function* ({ tenant }) {
  const { languages, vatTypes, priceVariants, stockLocations, markets, subscriptionPlans, pipelines } =
    tenant.settings;
  const first = { isDefault: true };
  yield [
    ...languages.toReversed().map((entry) => operation("language/upsert", { ...entry, ...first })),
    ...vatTypes.toReversed().map((entry) => operation("vatType/upsert", { ...entry, ...first })),
    ...priceVariants.toReversed().map((entry) => operation("priceVariant/upsert", { ...entry, ...first })),
    ...stockLocations
      .toReversed()
      .map((entry) => operation("stockLocation/upsert", { ...locationFields(entry), ...first })),
    ...markets.map((entry) => operation("market/upsert", { ...entry })),
    ...subscriptionPlans.map((entry) => operation("subscriptionPlan/upsert", { ...entry })),
    ...pipelines.map((entry) => operation("orderPipeline/upsert", { ...entry })),
  ];
};

const locationFields = ({ minimum, unlimited, ...fields }: StockLocation) => ({
  ...fields,
  settings: minimum === undefined && unlimited === undefined ? {} : { minimum, unlimited },
});
