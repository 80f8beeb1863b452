import { flowCommands } from "../../domain/flow/commands.ts";

export const command = flowCommands.upsert;
