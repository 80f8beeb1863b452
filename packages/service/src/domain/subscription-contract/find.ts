import { reject } from "../../errors.ts";
import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../../storage/collections/subscription-contracts.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

/** The input that identifies the contract of a mutation without an intent. */
export interface OneContract {
  subscriptionContractId: string;
}

/** Declares the contract. */
export const prefetchContractById = ({ subscriptionContractId }: OneContract, prefetch: Prefetch): void =>
  prefetch(subscriptionContracts, "key", [subscriptionContractId]);

/** Finds the contract with an id. Rejects with `SubscriptionContractNotFoundError`. */
export async function requireContract(unit: UnitOfWork, id: string): Promise<SubscriptionContractRow> {
  const contract = await unit.get(subscriptionContracts, id);
  if (contract !== undefined) return contract;
  const message = `There is no subscription contract with the id ${id}`;
  return reject("SubscriptionContractNotFoundError", message, ["subscriptionContractId"]);
}
