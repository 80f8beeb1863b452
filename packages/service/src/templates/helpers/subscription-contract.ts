import { subscriptionContracts } from "../../storage/collections/subscription-contracts.ts";
import type { Fetcher } from "./fetcher.ts";

export const fetchSubscriptionContractById: Fetcher = {
  missing: "SubscriptionContractNotFoundError",
  what: "subscription contract has the id",
  want: (id, _, want) => want(subscriptionContracts, "key", [id]),
  find: async ({ unit }, id) => {
    const contract = await unit.get(subscriptionContracts, id);
    if (contract === undefined) return undefined;
    const { planIdentifier: _, sku: __, halted: ___, renewed: ____, ...shown } = contract;
    const { activateAt, activeUntil, renewAt, ...fields } = shown;
    return { ...fields, status: { activateAt, activeUntil, renewAt } };
  },
};
