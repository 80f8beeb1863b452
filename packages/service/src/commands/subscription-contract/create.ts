import type { Command } from "../../domain/command.ts";
import { createContract, wantContract } from "../../domain/subscription-contract/commands.ts";

export const command: Command<"subscription-contract/create"> = {
  keys: wantContract,
  execute: createContract,
};
