import { reject } from "../../errors.ts";
import { subscriptionContractUsages } from "../../storage/collections/subscription-contract-usages.ts";
import { newId } from "../../storage/ids.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { alternatives } from "../../tenants/alternatives.ts";
import type { Handler } from "../command.ts";
import { requireSubscriptionPlan } from "../settings/require.ts";
import { checkUsage } from "./check.ts";
import { type OneContract, prefetchContractById, requireContract } from "./find.ts";

export interface NewUsage extends OneContract {
  input: {
    /** The identifier, not the id, of a metered variable of the contract's plan. */
    meteredVariableIdentifier: string;
    quantity: number;
    idempotencyKey?: string | null;
    description?: string | null;
  };
}

/**
 * Stores the usage of a metered variable of a contract's plan, whatever the contract's state. Rejects with
 * `SubscriptionContractNotFoundError` and `MeteredVariableNotFoundError`, with `IdempotencyKeyExistsError` for usage
 * already stored, and with `ValidationError` for usage that breaks a limit.
 */
export const trackUsage: Handler<NewUsage> = {
  keys(usage, prefetch) {
    prefetchContractById(usage, prefetch);
    const { idempotencyKey } = usage.input;
    if (typeof idempotencyKey === "string")
      prefetch(subscriptionContractUsages, "idempotencyKey", [idempotencyKey]);
  },
  async execute({ unit, tenant, now }, { subscriptionContractId, input }) {
    checkUsage(input);
    const { meteredVariableIdentifier, quantity, idempotencyKey = null, description = null } = input;
    const contract = await requireContract(unit, subscriptionContractId);
    const plan = requireSubscriptionPlan(tenant, contract.planIdentifier, []);
    const known = plan.meteredVariables.map(({ identifier }) => identifier);
    if (!known.includes(meteredVariableIdentifier))
      reject(
        "MeteredVariableNotFoundError",
        `The subscription plan "${plan.identifier}" has no metered variable "${meteredVariableIdentifier}"; ` +
          alternatives(meteredVariableIdentifier, known),
        ["input", "meteredVariableIdentifier"],
      );
    if (idempotencyKey !== null) await requireNewKey(unit, idempotencyKey);
    const id = newId();
    const usage = { meteredVariableIdentifier, quantity, description, idempotencyKey };
    unit.insert(subscriptionContractUsages, { id, contractId: contract.id, ...usage, createdAt: now });
    return { action: "created", output: { id, createdAt: now } };
  },
};

async function requireNewKey(unit: UnitOfWork, key: string): Promise<void> {
  const [same] = await unit.find(subscriptionContractUsages, "idempotencyKey", key);
  if (same === undefined) return;
  const message = `Usage was already recorded under the key "${key}", at ${same.createdAt}`;
  reject("IdempotencyKeyExistsError", message, ["input", "idempotencyKey"]);
}
