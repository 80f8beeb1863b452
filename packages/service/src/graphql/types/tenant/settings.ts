import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLString,
} from "graphql";
import { periodUnits } from "../../../storage/tenants/settings.ts";
import type { Tenant } from "../../../storage/tenants/tenant.ts";
import { settingOf } from "../../../tenants/change-settings.ts";
import {
  type Setting,
  type SettingKind,
  type SettingList,
  settingKinds,
} from "../../../tenants/setting-kinds.ts";
import { stockRules } from "../../../tenants/variant-facts.ts";
import type { CoreContext } from "../../context.ts";
import { lenientEnum } from "../../derive/lenient-enum.ts";
import { listOf } from "../../derive/list-of.ts";
import { boolean, float, id, integer, text } from "../../derive/non-null.ts";

export const PeriodUnit = lenientEnum("SubscriptionPeriodUnit", periodUnits);

type Fields<List extends SettingList> = GraphQLFieldConfigMap<Setting<List>, CoreContext>;

function settingType<List extends SettingList>(name: string, fields: Fields<List>, description?: string) {
  return new GraphQLObjectType<Setting<List>, CoreContext>({
    name,
    description: description ?? null,
    fields,
  });
}

/** True for the first entry of a list, which is the default. */
const isDefault = <List extends "languages" | "vatTypes" | "priceVariants" | "stockLocations">(
  list: List,
  key: keyof Setting<List>,
) => ({
  type: boolean,
  resolve(entry: Setting<List>, _: object, { tenant }: CoreContext) {
    const [first]: readonly Setting<List>[] = tenant.settings[list];
    return first?.[key] === entry[key];
  },
});

const Language = settingType<"languages">("Language", {
  code: { type: text },
  name: { type: text },
  isDefault: isDefault("languages", settingKinds.language.key),
});

const VatType = settingType<"vatTypes">("VatType", {
  id: { type: id },
  name: { type: text },
  percent: { type: float },
  isDefault: isDefault("vatTypes", settingKinds.vatType.key),
});

const PriceVariant = settingType<"priceVariants">("PriceVariant", {
  identifier: { type: text },
  name: { type: text },
  currency: { type: text },
  isDefault: isDefault("priceVariants", settingKinds.priceVariant.key),
});

/** The rules for the stock at a location. */
export const StockLocationSettings = new GraphQLObjectType({
  name: "StockLocationSettings",
  fields: {
    minimum: { type: float, description: "The least stock that is left." },
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
  isDefault: isDefault("stockLocations", settingKinds.stockLocation.key),
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
  "A plan that customers can subscribe to: its periods, and what is metered.",
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
interface ReadableList {
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

/** Every list of settings. */
export const settingLists: readonly ReadableList[] = [
  readable("language", settingKinds.language, Language),
  readable("vatType", settingKinds.vatType, VatType),
  readable("priceVariant", settingKinds.priceVariant, PriceVariant),
  readable("stockLocation", settingKinds.stockLocation, StockLocation),
  readable("market", settingKinds.market, Market),
  readable("subscriptionPlan", settingKinds.subscriptionPlan, SubscriptionPlan),
  readable("pipeline", settingKinds.pipeline, Pipeline),
];

function readable<List extends SettingList>(
  name: ReadableList["name"],
  kind: SettingKind<List>,
  type: GraphQLObjectType<Setting<List>, CoreContext>,
): ReadableList {
  const { list, what } = kind;
  const key: string = kind.key;
  const keyType = key === "id" ? GraphQLID : GraphQLString;
  return { name, list, key, keyType, what, type, entry: (tenant, given) => settingOf(tenant, kind, given) };
}
