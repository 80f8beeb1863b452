import { type KindIn, kindsIn, type SettingIntent } from "@lading/schema/internal";
import type { StockLocation, TenantSettings } from "../../../storage/tenants/settings.ts";
import type { ReadKind } from "../dumped-tenant.ts";
import { type Operation, operation } from "../operation.ts";

/**
 * Reads the settings of each kind. Entries of lists with a default have positions, which restores the order in a tenant
 * that has some of them, and changes nothing in a tenant that already has it.
 */
const operationsOf: Readonly<Record<KindIn<"settings">, (settings: TenantSettings) => Operation[]>> = {
  language: ({ languages }) => ordered("language/upsert", languages),
  vatType: ({ vatTypes }) => ordered("vatType/upsert", vatTypes),
  priceVariant: ({ priceVariants }) => ordered("priceVariant/upsert", priceVariants),
  stockLocation: ({ stockLocations }) => ordered("stockLocation/upsert", stockLocations.map(locationFields)),
  market: ({ markets }) => markets.map((entry) => operation("market/upsert", { ...entry })),
  subscriptionPlan: ({ subscriptionPlans }) =>
    subscriptionPlans.map((entry) => operation("subscriptionPlan/upsert", { ...entry })),
  orderPipeline: ({ pipelines }) => pipelines.map((entry) => operation("orderPipeline/upsert", { ...entry })),
};

export const readSettings: ReadKind = async function* ({ tenant }) {
  yield kindsIn("settings").flatMap((kind) => operationsOf[kind](tenant.settings));
};

const ordered = (intent: SettingIntent, entries: readonly object[]): Operation[] =>
  entries.map((entry, position) => operation(intent, { ...entry, position }));

const locationFields = ({ minimum, unlimited, ...fields }: StockLocation) => ({
  ...fields,
  settings: minimum === undefined && unlimited === undefined ? {} : { minimum, unlimited },
});
