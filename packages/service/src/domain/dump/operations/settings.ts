import type { SettingIntent } from "@lading/schema";
import type { StockLocation } from "../../../storage/tenants/settings.ts";
import type { ReadKind } from "../dumped-tenant.ts";
import { type Operation, operation } from "../operation.ts";

/**
 * Reads the settings. Entries of lists with a default say their places, so that the order is the same also in a tenant
 * that has some of them, and nothing moves in one that has it already.
 */
export const readSettings: ReadKind = async function* ({ tenant }) {
  const { languages, vatTypes, priceVariants, stockLocations, markets, subscriptionPlans, pipelines } =
    tenant.settings;
  yield [
    ...ordered("language/upsert", languages),
    ...ordered("vatType/upsert", vatTypes),
    ...ordered("priceVariant/upsert", priceVariants),
    ...ordered("stockLocation/upsert", stockLocations.map(locationFields)),
    ...markets.map((entry) => operation("market/upsert", { ...entry })),
    ...subscriptionPlans.map((entry) => operation("subscriptionPlan/upsert", { ...entry })),
    ...pipelines.map((entry) => operation("orderPipeline/upsert", { ...entry })),
  ];
};

const ordered = (intent: SettingIntent, entries: readonly object[]): Operation[] =>
  entries.map((entry, position) => operation(intent, { ...entry, position }));

const locationFields = ({ minimum, unlimited, ...fields }: StockLocation) => ({
  ...fields,
  settings: minimum === undefined && unlimited === undefined ? {} : { minimum, unlimited },
});
