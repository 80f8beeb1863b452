import type { Command } from "../../domain/command.ts";
import {
  createContract,
  findContract,
  updateContract,
  wantContract,
} from "../../domain/subscription-contract/commands.ts";

/** A contract that does not exist is created, with the id that is given. */
export const command: Command<"subscription-contract/upsert"> = {
  keys: wantContract,
  async execute(context, payload) {
    const contract = await findContract(context.unit, payload);
    return contract === undefined
      ? createContract(context, payload)
      : updateContract(context, contract, payload);
  },
};
