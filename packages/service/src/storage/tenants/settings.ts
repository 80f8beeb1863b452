import { byKey, initialVatType, keysOf } from "@lading/schema/internal";

/** Settings that operations refer to: rows of `settings`. The first of a list is the default. */
export interface SettingLists {
  /** The first is the default language. */
  languages: Language[];
  /** The first is the default VAT type. */
  vatTypes: VatType[];
  /** The first is the one a variant's `price` is for. */
  priceVariants: PriceVariant[];
  /** The first is the one a variant's `stock` is at. */
  stockLocations: StockLocation[];
  markets: Market[];
  subscriptionPlans: SubscriptionPlan[];
  pipelines: Pipeline[];
}

/** Limits set by the operator for a tenant: a column of its row. */
export interface TenantLimits {
  /** Largest upload, in bytes. */
  uploadMaxBytes: number;
  /** Lifetime of a presigned upload request, in seconds. */
  uploadLifetimeSeconds: number;
  /** Maximum number of started, unfinished tasks. */
  maxWaitingTasks: number;
  /** Retention of before-images written by bulk tasks, in days; 0: none are kept. */
  keepBeforeDays: number;
}

/**
 * A tenant's settings. They are read with it, once per batch or request, so that no operation needs a statement for
 * them.
 */
export interface TenantSettings extends SettingLists, TenantLimits {}

export type SettingList = keyof SettingLists;
export type Setting<List extends SettingList> = SettingLists[List][number];
export type TenantLimit = keyof TenantLimits;

/** The property operations use to refer to an entry of each list; it never changes. */
export const settingKeys = {
  languages: "code",
  vatTypes: "id",
  priceVariants: "identifier",
  stockLocations: "identifier",
  markets: "identifier",
  subscriptionPlans: "identifier",
  pipelines: "id",
} as const satisfies { readonly [List in SettingList]: keyof Setting<List> };

export const keyOfSetting = (list: SettingList, entry: Setting<SettingList>): string =>
  String(Reflect.get(entry, settingKeys[list]));

export const settingListNames = keysOf(settingKeys);

/** Every list, without entries. */
export const emptyLists = () => byKey(settingListNames, (): never[] => []);

export interface Language {
  code: string;
  name: string;
}

export interface VatType {
  id: string;
  name: string;
  percent: number;
}

export interface PriceVariant {
  identifier: string;
  name: string;
  currency: string;
}

export interface StockLocation {
  identifier: string;
  name: string;
  /** The minimum stock that operations leave here; absent: 0. A negative minimum allows sales ahead of the stock. */
  minimum?: number;
  /** True: any stock, also far below zero. */
  unlimited?: boolean;
}

export interface Market {
  identifier: string;
  name: string;
}

/** A plan that customers can subscribe to: its periods, and the variables that are metered. */
export interface SubscriptionPlan {
  identifier: string;
  name: string;
  periods: PlanPeriod[];
  meteredVariables: MeteredVariable[];
}

export interface PlanPeriod {
  id: string;
  name: string;
  /** The first phase, if it differs. */
  initial?: PlanPhase;
  recurring: PlanPhase;
}

export interface PlanPhase {
  period: number;
  unit: PeriodUnit;
}

export const periodUnits = ["day", "week", "month", "year"] as const;
export type PeriodUnit = (typeof periodUnits)[number];

export interface MeteredVariable {
  id: string;
  identifier: string;
  name: string;
  /** The counted unit, such as `request`. */
  unit: string;
}

/** The stages that an order goes through. */
export interface Pipeline {
  id: string;
  name: string;
  stages: PipelineStage[];
}

export interface PipelineStage {
  id: string;
  name: string;
}

export const initialLimits: TenantLimits = {
  uploadMaxBytes: 1024 ** 3,
  uploadLifetimeSeconds: 15 * 60,
  maxWaitingTasks: 10_000,
  keepBeforeDays: 30,
};

/**
 * A new tenant's settings: one of each kind that items and products require. The VAT type has the same id in every
 * tenant, so that a dump updates it in a new tenant, instead of adding another.
 */
export const initialSettings = (): TenantSettings => ({
  languages: [{ code: "en", name: "English" }],
  vatTypes: [{ ...initialVatType }],
  priceVariants: [{ identifier: "default", name: "Default", currency: "EUR" }],
  stockLocations: [{ identifier: "default", name: "Default" }],
  markets: [],
  subscriptionPlans: [],
  pipelines: [],
  ...initialLimits,
});
