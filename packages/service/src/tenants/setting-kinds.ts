import type {
  Language,
  Market,
  Pipeline,
  PlanPhase,
  PriceVariant,
  StockLocation,
  SubscriptionPlan,
  TenantLimit,
  TenantSettings,
  VatType,
} from "../storage/tenants/settings.ts";
import { type SettingCheck, settingLimits } from "./setting-limits.ts";

export type SettingList = Exclude<keyof TenantSettings, TenantLimit>;
export type Setting<List extends SettingList> = TenantSettings[List][number];
export type SettingLists = { [List in SettingList]: Setting<List>[] };

/** One list of a tenant's settings: the key and the name of its entries, and their rules. */
export interface SettingKind<List extends SettingList = SettingList> {
  readonly list: List;
  /** The property by which operations name an entry; it never changes. */
  readonly key: keyof Setting<List> & string;
  /** The name of an entry in messages. */
  readonly what: string;
  /** True where the tenant needs at least one entry, of which the first is the default. */
  readonly needed: boolean;
  check(entry: Setting<List>, check: SettingCheck): void;
}

const language: SettingKind<"languages"> = {
  ...{ list: "languages", key: "code", what: "language", needed: true },
  check({ code, name }: Language, check) {
    if (!/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/.test(code) || code.length > settingLimits.identifier)
      check.add(`"${code}" is not a language code; write it as en, no-nb or zh-Hans`, ["code"]);
    check.text(name, settingLimits.name, ["name"]);
  },
};

const vatType: SettingKind<"vatTypes"> = {
  ...{ list: "vatTypes", key: "id", what: "VAT type", needed: true },
  check({ id, name, percent }: VatType, check) {
    check.id(id, ["id"]);
    check.text(name, settingLimits.name, ["name"]);
    check.range(percent, { min: 0, max: settingLimits.percent }, ["percent"]);
  },
};

const priceVariant: SettingKind<"priceVariants"> = {
  ...{ list: "priceVariants", key: "identifier", what: "price variant", needed: true },
  check({ identifier, name, currency }: PriceVariant, check) {
    checkNames(check, { identifier, name });
    check.text(currency, settingLimits.currency, ["currency"]);
  },
};

const stockLocation: SettingKind<"stockLocations"> = {
  ...{ list: "stockLocations", key: "identifier", what: "stock location", needed: true },
  check({ identifier, name, minimum }: StockLocation, check) {
    checkNames(check, { identifier, name });
    const { stock } = settingLimits;
    check.range(minimum ?? 0, { min: -stock, max: stock }, ["settings", "minimum"]);
  },
};

const market: SettingKind<"markets"> = {
  ...{ list: "markets", key: "identifier", what: "market", needed: false },
  check: (entry: Market, check) => checkNames(check, entry),
};

const subscriptionPlan: SettingKind<"subscriptionPlans"> = {
  ...{ list: "subscriptionPlans", key: "identifier", what: "subscription plan", needed: false },
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
};

const pipeline: SettingKind<"pipelines"> = {
  ...{ list: "pipelines", key: "id", what: "order pipeline", needed: false },
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
};

/** Every list of settings. */
export const settingKinds = {
  language,
  vatType,
  priceVariant,
  stockLocation,
  market,
  subscriptionPlan,
  pipeline,
} as const;

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
