import type { JsonPath } from "@lading/schema";
import { reject } from "../../errors.ts";
import type {
  MeteredVariable,
  PlanPeriod,
  Setting,
  SettingList,
  SettingLists,
  StockLocation,
  SubscriptionPlan,
} from "../../storage/tenants/settings.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { alternatives } from "../../tenants/alternatives.ts";

export function requireLanguage(tenant: Tenant, language: string, path: JsonPath = ["language"]): void {
  named(tenant, "languages", "code", "language", language, path);
}

/** The VAT type to store: the payload's, which must exist, else the tenant's first. */
export function vatTypeOf(tenant: Tenant, id: string | undefined): string {
  const chosen = id ?? tenant.settings.vatTypes[0]?.id ?? "";
  return named(tenant, "vatTypes", "id", "VAT type", chosen, ["vatTypeId"]).id;
}

export function requirePriceVariant(tenant: Tenant, identifier: string, path: JsonPath): void {
  named(tenant, "priceVariants", "identifier", "price variant", identifier, path);
}

export function requireStockLocation(tenant: Tenant, identifier: string, path: JsonPath): StockLocation {
  return named(tenant, "stockLocations", "identifier", "stock location", identifier, path);
}

export function requireMarket(tenant: Tenant, identifier: string, path: JsonPath): void {
  named(tenant, "markets", "identifier", "market", identifier, path);
}

export function requireSubscriptionPlan(
  tenant: Tenant,
  identifier: string,
  path: JsonPath,
): SubscriptionPlan {
  return named(tenant, "subscriptionPlans", "identifier", "subscription plan", identifier, path);
}

export function requirePlanPeriod(
  { identifier, periods }: SubscriptionPlan,
  id: string,
  path: JsonPath,
): PlanPeriod {
  return entry(`The subscription plan "${identifier}"`, periods, "id", "period", id, path);
}

/** The metered variable of a plan, by its id or its identifier. */
export function requireMeteredVariable(
  { identifier, meteredVariables }: SubscriptionPlan,
  by: "id" | "identifier",
  value: string,
  path: JsonPath,
): MeteredVariable {
  return entry(
    `The subscription plan "${identifier}"`,
    meteredVariables,
    by,
    "metered variable",
    value,
    path,
  );
}

/** Rejects an unknown order pipeline or stage. */
export function requirePipelineStage(
  tenant: Tenant,
  { pipelineId, stageId }: { pipelineId: string; stageId: string },
  path: JsonPath,
): void {
  const { name, stages } = named(tenant, "pipelines", "id", "order pipeline", pipelineId, [
    ...path,
    "pipelineId",
  ]);
  entry(`The order pipeline "${name}"`, stages, "id", "stage", stageId, [...path, "stageId"]);
}

const named = <List extends SettingList>(
  { settings }: { readonly settings: SettingLists },
  list: List,
  key: keyof Setting<List> & string,
  what: string,
  asked: string,
  path: JsonPath,
): Setting<List> => entry<Setting<List>>("The tenant", settings[list], key, what, asked, path);

/** Finds the entry of a list with this key. Rejects with `SettingNotFoundError`, suggesting the nearest ones. */
function entry<Entry extends object>(
  owner: string,
  list: readonly Entry[],
  key: keyof Entry & string,
  what: string,
  asked: string,
  path: JsonPath,
): Entry {
  const found = list.find((candidate) => candidate[key] === asked);
  if (found !== undefined) return found;
  const keys = list.map((candidate) => String(candidate[key]));
  const message = `${owner} has no ${what} "${asked}"; ${alternatives(asked, keys)}`;
  return reject("SettingNotFoundError", message, path);
}
