import { payloads } from "@lading/schema";
import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLString,
} from "graphql";
import { settingOf } from "../../../domain/settings/entries.ts";
import { type SettingKind, settingKinds } from "../../../domain/settings/kinds.ts";
import {
  keyOfSetting,
  type Setting,
  type SettingList,
  type SettingLists,
} from "../../../storage/tenants/settings.ts";
import type { Tenant } from "../../../storage/tenants/tenant.ts";
import { stockRules } from "../../../tenants/variant-facts.ts";
import type { CoreContext } from "../../context.ts";
import { leafType } from "../../derive/from-zod.ts";
import { boolean, float, id, integer, listOf, text } from "../../derive/non-null.ts";
import { inside } from "../../derive/payload-parts.ts";

const PeriodUnit = leafType(
  inside(payloads["subscriptionPlan/upsert"], "periods", "[]", "recurring", "unit"),
  "SubscriptionPeriodUnit",
);

type Fields<List extends SettingList> = GraphQLFieldConfigMap<Setting<List>, CoreContext>;

function settingType<List extends SettingList>(name: string, fields: Fields<List>, description?: string) {
  return new GraphQLObjectType<Setting<List>, CoreContext>({
    name,
    description: description ?? null,
    fields,
  });
}

/** True for the first entry of a list, which is the default. */
const isDefault = <List extends SettingList>(list: List) => ({
  type: boolean,
  resolve(entry: Setting<List>, _: object, { tenant }: CoreContext) {
    const lists: SettingLists = tenant.settings;
    const [first]: readonly Setting<List>[] = lists[list];
    return first !== undefined && keyOfSetting(list, first) === keyOfSetting(list, entry);
  },
});

const Language = settingType<"languages">("Language", {
  code: { type: text },
  name: { type: text },
  isDefault: isDefault("languages"),
});

const VatType = settingType<"vatTypes">("VatType", {
  id: { type: id },
  name: { type: text },
  percent: { type: float },
  isDefault: isDefault("vatTypes"),
});

const PriceVariant = settingType<"priceVariants">("PriceVariant", {
  identifier: { type: text },
  name: { type: text },
  currency: { type: text },
  isDefault: isDefault("priceVariants"),
});

/** The rules for the stock at a location. */
export const StockLocationSettings = new GraphQLObjectType({
  name: "StockLocationSettings",
  fields: {
    minimum: { type: float, description: "The minimum stock that remains." },
    unlimited: {
      type: boolean,
      description: "True: any stock, also below the minimum.",
    },
  },
});

const StockLocation = settingType<"stockLocations">("StockLocation", {
  identifier: { type: text },
  name: { type: text },
  settings: { type: new GraphQLNonNull(StockLocationSettings), resolve: stockRules },
  isDefault: isDefault("stockLocations"),
});

const Market = settingType<"markets">("Market", { identifier: { type: text }, name: { type: text } });

const Phase = new GraphQLObjectType({
  name: "SubscriptionPlanPhase",
  fields: {
    period: { type: integer },
    unit: { type: new GraphQLNonNull(PeriodUnit) },
  },
});

const Period = new GraphQLObjectType({
  name: "SubscriptionPlanPeriod",
  fields: {
    id: { type: id },
    name: { type: text },
    initial: { type: Phase, description: "The first phase, where it differs." },
    recurring: { type: new GraphQLNonNull(Phase) },
  },
});

const Variable = new GraphQLObjectType({
  name: "SubscriptionPlanMeteredVariable",
  fields: { id: { type: id }, identifier: { type: text }, name: { type: text }, unit: { type: text } },
});

const SubscriptionPlan = settingType<"subscriptionPlans">(
  "SubscriptionPlan",
  {
    identifier: { type: text },
    name: { type: text },
    periods: { type: listOf(Period) },
    meteredVariables: { type: listOf(Variable) },
  },
  "A plan that customers can subscribe to: its periods and metered variables.",
);

const Stage = new GraphQLObjectType({
  name: "PipelineStage",
  fields: { id: { type: id }, name: { type: text } },
});

const Pipeline = settingType<"pipelines">(
  "Pipeline",
  { id: { type: id }, name: { type: text }, stages: { type: listOf(Stage) } },
  "The stages that an order goes through.",
);

/** One list of settings as the API reads it. */
export interface ReadableList {
  /** The name of the field that reads one entry. */
  name: keyof typeof settingKinds;
  list: SettingList;
  /** The property by which an entry is named. */
  key: string;
  keyType: GraphQLScalarType;
  /** A word for an entry. */
  what: string;
  type: GraphQLObjectType;
  /** The entry with this key. Rejects with `SettingNotFoundError`. */
  entry(tenant: Tenant, key: string): unknown;
}

/** Every list of settings, by its singular name. */
export const settingsByName = {
  language: readable("language", settingKinds.language, Language),
  vatType: readable("vatType", settingKinds.vatType, VatType),
  priceVariant: readable("priceVariant", settingKinds.priceVariant, PriceVariant),
  stockLocation: readable("stockLocation", settingKinds.stockLocation, StockLocation),
  market: readable("market", settingKinds.market, Market),
  subscriptionPlan: readable("subscriptionPlan", settingKinds.subscriptionPlan, SubscriptionPlan),
  pipeline: readable("pipeline", settingKinds.pipeline, Pipeline),
} as const satisfies { readonly [Name in ReadableList["name"]]: ReadableList };

export const settingLists: readonly ReadableList[] = Object.values(settingsByName);

function readable<List extends SettingList>(
  name: ReadableList["name"],
  kind: SettingKind<List>,
  type: GraphQLObjectType<Setting<List>, CoreContext>,
): ReadableList {
  const { list, what, key } = kind;
  const keyType = key === "id" ? GraphQLID : GraphQLString;
  return { name, list, key, keyType, what, type, entry: (tenant, given) => settingOf(tenant, kind, given) };
}
