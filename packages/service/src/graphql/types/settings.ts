import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { periodUnits } from "../../storage/tenants/settings.ts";
import { type Setting, type SettingList, settingKinds } from "../../tenants/setting-kinds.ts";
import { stockRules } from "../../tenants/variant-facts.ts";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/lenient-enum.ts";
import { listOf } from "../derive/list-of.ts";

const id = { type: new GraphQLNonNull(GraphQLID) };
const text = { type: new GraphQLNonNull(GraphQLString) };
const number = { type: new GraphQLNonNull(GraphQLFloat) };

export const PeriodUnit = lenientEnum("SubscriptionPeriodUnit", periodUnits);

type Fields<List extends SettingList> = GraphQLFieldConfigMap<Setting<List>, CoreContext>;

function settingType<List extends SettingList>(name: string, fields: Fields<List>, description?: string) {
  return new GraphQLObjectType<Setting<List>, CoreContext>({
    name,
    description: description ?? null,
    fields,
  });
}

/** Whether an entry is the first of its list, which is what is taken where nothing is said. */
const isDefault = <List extends "languages" | "vatTypes" | "priceVariants" | "stockLocations">(
  list: List,
  key: keyof Setting<List>,
) => ({
  type: new GraphQLNonNull(GraphQLBoolean),
  resolve: (entry: Setting<List>, _: object, { tenant }: CoreContext) =>
    (tenant.settings[list][0] as Setting<List> | undefined)?.[key] === entry[key],
});

export const Language = settingType<"languages">("Language", {
  code: text,
  name: text,
  isDefault: isDefault("languages", settingKinds.language.key),
});

export const VatType = settingType<"vatTypes">("VatType", {
  id,
  name: text,
  percent: number,
  isDefault: isDefault("vatTypes", settingKinds.vatType.key),
});

export const PriceVariant = settingType<"priceVariants">("PriceVariant", {
  identifier: text,
  name: text,
  currency: text,
  isDefault: isDefault("priceVariants", settingKinds.priceVariant.key),
});

/** What holds for the stock at a location. */
export const StockLocationSettings = new GraphQLObjectType({
  name: "StockLocationSettings",
  fields: {
    minimum: { ...number, description: "The least stock that is left." },
    unlimited: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: "True: any stock, also below the minimum.",
    },
  },
});

export const StockLocation = settingType<"stockLocations">("StockLocation", {
  identifier: text,
  name: text,
  settings: { type: new GraphQLNonNull(StockLocationSettings), resolve: stockRules },
  isDefault: isDefault("stockLocations", settingKinds.stockLocation.key),
});

export const Market = settingType<"markets">("Market", { identifier: text, name: text });

const Phase = new GraphQLObjectType({
  name: "SubscriptionPlanPhase",
  fields: {
    period: { type: new GraphQLNonNull(GraphQLInt) },
    unit: { type: new GraphQLNonNull(PeriodUnit) },
  },
});

const Period = new GraphQLObjectType({
  name: "SubscriptionPlanPeriod",
  fields: {
    id,
    name: text,
    initial: { type: Phase, description: "The first phase, where it differs." },
    recurring: { type: new GraphQLNonNull(Phase) },
  },
});

const Variable = new GraphQLObjectType({
  name: "SubscriptionPlanMeteredVariable",
  fields: { id, identifier: text, name: text, unit: text },
});

export const SubscriptionPlan = settingType<"subscriptionPlans">(
  "SubscriptionPlan",
  {
    identifier: text,
    name: text,
    periods: { type: listOf(Period) },
    meteredVariables: { type: listOf(Variable) },
  },
  "What customers can subscribe to: for how long at a time, and what is measured.",
);

const Stage = new GraphQLObjectType({ name: "PipelineStage", fields: { id, name: text } });

export const Pipeline = settingType<"pipelines">(
  "Pipeline",
  { id, name: text, stages: { type: listOf(Stage) } },
  "The stages that an order goes through.",
);
