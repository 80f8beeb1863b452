import type { Command } from "../command.ts";
import { createContract, wantContract } from "./write.ts";

export const command: Command<"subscription-contract/create"> = {
  keys: wantContract,
  execute: createContract,
};
