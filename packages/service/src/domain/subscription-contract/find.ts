import { reject } from "../../errors.ts";
import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../../storage/collections/subscription-contracts.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { refuseOtherIdentifier } from "../payload/named-row.ts";

/** The properties by which a payload identifies a contract; the first one set counts. */
export interface ContractIdentity {
  id?: string | undefined;
  resourceIdentifier?: string | undefined;
}

/** The input that identifies the contract of a mutation without an intent. */
export interface OneContract {
  subscriptionContractId: string;
}

export const prefetchContractById = ({ subscriptionContractId }: OneContract, prefetch: Prefetch): void =>
  prefetch(subscriptionContracts, "key", [subscriptionContractId]);

/** Finds the contract with an id. Rejects with `SubscriptionContractNotFoundError`. */
export async function requireContract(unit: UnitOfWork, id: string): Promise<SubscriptionContractRow> {
  const contract = await unit.get(subscriptionContracts, id);
  if (contract !== undefined) return contract;
  const message = `There is no subscription contract with the id ${id}`;
  return reject("SubscriptionContractNotFoundError", message, ["subscriptionContractId"]);
}

export function prefetchNamedContract(
  { id, resourceIdentifier }: ContractIdentity,
  prefetch: Prefetch,
): void {
  if (id !== undefined) prefetch(subscriptionContracts, "key", [id]);
  if (resourceIdentifier !== undefined)
    prefetch(subscriptionContracts, "resourceIdentifier", [resourceIdentifier]);
}

/** Finds a contract by its id, else by its resource identifier; undefined when there is none. */
export async function findContract(
  unit: UnitOfWork,
  { id, resourceIdentifier }: ContractIdentity,
): Promise<SubscriptionContractRow | undefined> {
  if (id !== undefined) return unit.get(subscriptionContracts, id);
  if (resourceIdentifier === undefined) return undefined;
  const [contract] = await unit.find(subscriptionContracts, "resourceIdentifier", resourceIdentifier);
  return contract;
}

/**
 * Finds a contract by its id, else by its resource identifier. Rejects with `SubscriptionContractNotFoundError`, and
 * with `ConflictError` if the two don't match.
 */
export async function requireNamedContract(
  unit: UnitOfWork,
  identity: ContractIdentity,
): Promise<SubscriptionContractRow> {
  const contract = (await findContract(unit, identity)) ?? refuseMissing(identity);
  refuseOtherIdentifier(contract, identity.resourceIdentifier, { what: "contracts", idField: "id" });
  return contract;
}

/** Rejects with `SubscriptionContractNotFoundError`. */
export function refuseMissing({ id, resourceIdentifier }: ContractIdentity): never {
  const what = "There is no subscription contract with the";
  if (id !== undefined) reject("SubscriptionContractNotFoundError", `${what} id ${id}`, ["id"]);
  const message = `${what} resource identifier "${resourceIdentifier}"`;
  return reject("SubscriptionContractNotFoundError", message, ["resourceIdentifier"]);
}
