import type { Commands } from "../command.ts";
import { contractCommands, deleteContract } from "./commands.ts";

export const contractIntents = {
  "subscription-contract/create": contractCommands.create,
  "subscription-contract/update": contractCommands.update,
  "subscription-contract/upsert": contractCommands.upsert,
  "subscription-contract/delete": deleteContract,
} satisfies Partial<Commands>;
