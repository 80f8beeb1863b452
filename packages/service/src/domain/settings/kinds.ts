import { type KindIn, valueRules } from "@lading/schema/internal";
import {
  type Language,
  type Market,
  type Pipeline,
  type PlanPhase,
  type PriceVariant,
  type Setting,
  type SettingList,
  type StockLocation,
  type SubscriptionPlan,
  settingKeys,
  type VatType,
} from "../../storage/tenants/settings.ts";
import type { StockLocationInput } from "./inputs.ts";
import { type PipelineInput, type PlanInput, readPipeline, readPlan, readStockLocation } from "./inputs.ts";
import { type SettingCheck, settingLimits } from "./limits.ts";

/** The fields of an entry as a request or an operation gives them, without its key. */
export interface SettingFields {
  languages: Partial<Language>;
  vatTypes: Partial<VatType>;
  priceVariants: Partial<PriceVariant>;
  stockLocations: StockLocationInput;
  markets: Partial<Market>;
  subscriptionPlans: PlanInput;
  pipelines: PipelineInput;
}

/** One list of a tenant's settings: the key and the name of its entries, and their rules. */
export interface SettingKind<List extends SettingList = SettingList> {
  readonly list: List;
  /** The property by which operations name an entry; it never changes. */
  readonly key: string;
  /** The name of an entry in messages. */
  readonly what: string;
  /** True if the tenant needs at least one entry; the first is the default. */
  readonly needed: boolean;
  /** Converts given fields to those of an entry; `before` is the entry they change. */
  read(fields: SettingFields[List], before?: Setting<List>): Partial<Setting<List>>;
  check(entry: Setting<List>, check: SettingCheck): void;
  /** The properties of the result of an upsert: `intents` of the schema package lists them. */
  output(entry: Setting<List>): Record<string, unknown>;
}

const asGiven = <Fields>(fields: Fields): Fields => fields;

const language: SettingKind<"languages"> = {
  ...{ list: "languages", key: settingKeys.languages, what: "language", needed: true },
  read: asGiven,
  check({ code, name }: Language, check) {
    const objection = valueRules.languageCode.objection(code);
    if (objection !== undefined) check.add(objection, ["code"]);
    check.text(name, settingLimits.name, ["name"]);
  },
  output: ({ code, name }) => ({ code, name }),
};

const vatType: SettingKind<"vatTypes"> = {
  ...{ list: "vatTypes", key: settingKeys.vatTypes, what: "VAT type", needed: true },
  read: asGiven,
  check({ id, name, percent }: VatType, check) {
    check.id(id, ["id"]);
    check.text(name, settingLimits.name, ["name"]);
    check.range(percent, { min: 0, max: settingLimits.percent }, ["percent"]);
  },
  output: ({ id, name, percent }) => ({ id, name, percent }),
};

const priceVariant: SettingKind<"priceVariants"> = {
  ...{ list: "priceVariants", key: settingKeys.priceVariants, what: "price variant", needed: true },
  read: asGiven,
  check({ identifier, name, currency }: PriceVariant, check) {
    checkNames(check, { identifier, name });
    check.text(currency, settingLimits.currency, ["currency"]);
  },
  output: ({ identifier, name, currency }) => ({ identifier, name, currency }),
};

const stockLocation: SettingKind<"stockLocations"> = {
  ...{ list: "stockLocations", key: settingKeys.stockLocations, what: "stock location", needed: true },
  read: readStockLocation,
  check({ identifier, name, minimum }: StockLocation, check) {
    checkNames(check, { identifier, name });
    const { stock } = settingLimits;
    check.range(minimum ?? 0, { min: -stock, max: stock }, ["settings", "minimum"]);
  },
  output: ({ identifier, name }) => ({ identifier, name }),
};

const market: SettingKind<"markets"> = {
  ...{ list: "markets", key: settingKeys.markets, what: "market", needed: false },
  read: asGiven,
  check: (entry: Market, check) => checkNames(check, entry),
  output: ({ identifier, name }) => ({ identifier, name }),
};

const subscriptionPlan: SettingKind<"subscriptionPlans"> = {
  ...{
    list: "subscriptionPlans",
    key: settingKeys.subscriptionPlans,
    what: "subscription plan",
    needed: false,
  },
  read: readPlan,
  check({ identifier, name, periods, meteredVariables }: SubscriptionPlan, check) {
    checkNames(check, { identifier, name });
    check.count(periods, { min: 1, max: settingLimits.periods }, ["periods"]);
    check.count(meteredVariables, { min: 0, max: settingLimits.meteredVariables }, ["meteredVariables"]);
    check.once(periods, "id", ["periods"]);
    check.once(meteredVariables, "id", ["meteredVariables"]);
    check.once(meteredVariables, "identifier", ["meteredVariables"]);
    for (const [i, period] of periods.entries()) {
      const path = ["periods", i];
      check.id(period.id, [...path, "id"]);
      check.text(period.name, settingLimits.name, [...path, "name"]);
      checkPhase(check, period.initial, [...path, "initial"]);
      checkPhase(check, period.recurring, [...path, "recurring"]);
    }
    for (const [i, variable] of meteredVariables.entries()) {
      const path = ["meteredVariables", i];
      check.id(variable.id, [...path, "id"]);
      checkNames(check, variable, path);
      check.text(variable.unit, settingLimits.name, [...path, "unit"]);
    }
  },
  output: ({ identifier, name, periods, meteredVariables }) => ({
    ...{ identifier, name, periods: periods.map(({ id, name }) => ({ id, name })) },
    meteredVariables: meteredVariables.map(({ id, identifier }) => ({ id, identifier })),
  }),
};

const pipeline: SettingKind<"pipelines"> = {
  ...{ list: "pipelines", key: settingKeys.pipelines, what: "order pipeline", needed: false },
  read: readPipeline,
  check({ id, name, stages }: Pipeline, check) {
    check.id(id, ["id"]);
    check.text(name, settingLimits.name, ["name"]);
    check.count(stages, { min: 1, max: settingLimits.stages }, ["stages"]);
    check.once(stages, "id", ["stages"]);
    for (const [i, stage] of stages.entries()) {
      check.id(stage.id, ["stages", i, "id"]);
      check.text(stage.name, settingLimits.name, ["stages", i, "name"]);
    }
  },
  output: ({ id, name, stages }) => ({ id, name, stages: stages.map(({ id, name }) => ({ id, name })) }),
};

export const settingKinds = {
  language,
  vatType,
  priceVariant,
  stockLocation,
  market,
  subscriptionPlan,
  pipeline,
} as const satisfies Readonly<Record<Exclude<KindIn<"settings">, "orderPipeline"> | "pipeline", unknown>>;

function checkNames(
  check: SettingCheck,
  { identifier, name }: { identifier: string; name: string },
  path: readonly (string | number)[] = [],
): void {
  check.text(identifier, settingLimits.identifier, [...path, "identifier"]);
  check.text(name, settingLimits.name, [...path, "name"]);
}

function checkPhase(
  check: SettingCheck,
  phase: PlanPhase | undefined,
  path: readonly (string | number)[],
): void {
  if (phase === undefined) return;
  const { period } = phase;
  check.range(period, { min: 1, max: settingLimits.period }, [...path, "period"]);
}
