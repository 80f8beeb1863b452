import type { Command } from "../../domain/command.ts";
import { findContract, updateContract, wantContract } from "../../domain/subscription-contract/commands.ts";
import { reject } from "../../errors.ts";

export const command: Command<"subscription-contract/update"> = {
  keys: wantContract,
  async execute(context, payload) {
    const contract = await findContract(context.unit, payload);
    if (contract !== undefined) return updateContract(context, contract, payload);
    const { id, resourceIdentifier } = payload;
    if (id !== undefined)
      reject("SubscriptionContractNotFoundError", `There is no subscription contract with the id ${id}`, [
        "id",
      ]);
    const message = `There is no subscription contract with the resource identifier "${resourceIdentifier}"`;
    return reject("SubscriptionContractNotFoundError", message, ["resourceIdentifier"]);
  },
};
