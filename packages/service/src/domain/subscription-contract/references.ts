import type { JsonPath, Payload, Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { customers } from "../../storage/collections/customers.ts";
import { productVariants } from "../../storage/collections/product-variants.ts";
import type { SubscriptionContractRow } from "../../storage/collections/subscription-contracts.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { requireSku } from "../price-list/selection.ts";
import { requireMeteredVariable, requirePlanPeriod, requireSubscriptionPlan } from "../settings/require.ts";

type ContractPayload = Payload<"subscription-contract/update">;
type PhaseName = "initial" | "recurring";

const phaseNames: readonly PhaseName[] = ["initial", "recurring"];

/** The parts of a payload or a stored contract that name SKUs. */
type WithSkus = Partial<Record<PhaseName, { productVariants?: readonly { sku: string }[] | null } | null>> & {
  item?: { sku: string };
};

/** The SKUs in a payload or a contract, with their paths. */
export function skusOf({ item, ...phases }: WithSkus): [sku: string, path: JsonPath][] {
  const own: [string, string[]][] = item === undefined ? [] : [[item.sku, ["item", "sku"]]];
  const others = phaseNames.flatMap((name) =>
    (phases[name]?.productVariants ?? []).map(({ sku }, i): [string, JsonPath] => [
      sku,
      [name, "productVariants", i, "sku"],
    ]),
  );
  return [...own, ...others];
}

export function prefetchSkus(payload: Written<ContractPayload>, prefetch: Prefetch): void {
  for (const [sku] of skusOf(payload)) prefetch(productVariants, "sku", [sku]);
}

/** Rejects unknown SKUs (`SkuNotFoundError`), except those already in the stored contract. */
export async function requireSkus(
  unit: UnitOfWork,
  payload: ContractPayload,
  stored: WithSkus = {},
): Promise<void> {
  const kept = new Set(skusOf(stored).map(([sku]) => sku));
  for (const [sku, path] of skusOf(payload)) if (!kept.has(sku)) await requireSku(unit, sku, path);
}

/** Rejects an unknown customer (`CustomerNotFoundError`). */
export async function requireCustomer(unit: UnitOfWork, identifier: string): Promise<void> {
  if ((await unit.get(customers, identifier)) !== undefined) return;
  reject("CustomerNotFoundError", `There is no customer "${identifier}"`, ["customerIdentifier"]);
}

/**
 * Rejects an unknown plan, and a period or metered variables that the plan lacks. Checks the phases of the payload, and
 * the stored ones too if the plan changes.
 */
export function requirePlan(
  tenant: Tenant,
  payload: ContractPayload,
  stored?: Pick<SubscriptionContractRow, "subscriptionPlan" | PhaseName>,
): void {
  const sent = payload.subscriptionPlan;
  const phases = { ...(sent !== undefined && stored), ...sentPhases(payload) };
  const chosen = sent ?? stored?.subscriptionPlan;
  if (chosen === undefined || (sent === undefined && Object.keys(phases).length === 0)) return;
  const plan = requireSubscriptionPlan(tenant, chosen.identifier, ["subscriptionPlan", "identifier"]);
  if (sent !== undefined) requirePlanPeriod(plan, sent.periodId, ["subscriptionPlan", "periodId"]);
  for (const name of phaseNames)
    for (const [i, variable] of (phases[name]?.meteredVariables ?? []).entries())
      requireMeteredVariable(plan, "identifier", variable.identifier, [
        name,
        "meteredVariables",
        i,
        "identifier",
      ]);
}

function sentPhases(payload: ContractPayload): Pick<ContractPayload, PhaseName> {
  const sent = phaseNames.filter((name) => payload[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, payload[name]]));
}
