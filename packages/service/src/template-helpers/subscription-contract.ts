import { subscriptionContracts } from "../storage/collections/subscription-contracts.ts";
import { contractPhase, contractStatus } from "../tenants/contract-facts.ts";
import type { Fetcher } from "./fetcher.ts";

export const fetchSubscriptionContractById: Fetcher = {
  missing: "SubscriptionContractNotFoundError",
  what: "subscription contract has the id",
  prefetch: (id, _, prefetch) => prefetch(subscriptionContracts, "key", [id]),
  find: async ({ unit, tenant: { settings } }, id) => {
    const contract = await unit.get(subscriptionContracts, id);
    if (contract === undefined) return undefined;
    const { resourceIdentifier, customerIdentifier, subscriptionPlan, item, signedAt } = contract;
    const { payment, addresses, meta, createdAt, updatedAt } = contract;
    return {
      ...{ id, resourceIdentifier, customerIdentifier, subscriptionPlan, item, signedAt },
      ...{ payment, addresses, meta, createdAt, updatedAt },
      initial: contractPhase(contract, "initial", settings),
      recurring: contractPhase(contract, "recurring", settings),
      status: contractStatus(contract, settings, Date.now()),
    };
  },
};
