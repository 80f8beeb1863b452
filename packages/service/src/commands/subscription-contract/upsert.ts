import { contractCommands } from "../../domain/subscription-contract/commands.ts";

export const command = contractCommands.upsert;
