import type { Command } from "../../domain/command.ts";
import { prefetchNamedContract, requireNamedContract } from "../../domain/subscription-contract/find.ts";
import { reject } from "../../errors.ts";
import { subscriptionContractUsages } from "../../storage/collections/subscription-contract-usages.ts";
import { subscriptionContracts } from "../../storage/collections/subscription-contracts.ts";
import { hasMoreUsages } from "../../storage/queries/subscription-contract-usages.ts";

/** The most usages that are deleted with a contract: all of them are in memory at once. */
const mostUsages = 10_000;

/**
 * Deletes a contract with its usage, whatever its state. Usage is not prefetched: that of all contracts of a batch
 * would be in memory.
 */
export const command: Command<"subscription-contract/delete"> = {
  keys: (payload, prefetch) => prefetchNamedContract(payload, prefetch),
  async execute({ unit }, payload) {
    const contract = await requireNamedContract(unit, payload);
    const { id } = contract;
    if (await hasMoreUsages(unit, id, mostUsages))
      reject(
        "ConflictError",
        `The contract ${id} has more than ${mostUsages} usages, which cannot be deleted at once; cancel it instead`,
      );
    const owner = { collection: subscriptionContracts, key: id };
    for (const usage of await unit.findUnder(owner, subscriptionContractUsages, "contract", id))
      unit.remove(subscriptionContractUsages, usage);
    unit.remove(subscriptionContracts, contract);
    return { action: "deleted", output: { id } };
  },
};
