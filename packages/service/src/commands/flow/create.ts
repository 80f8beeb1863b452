import type { Command } from "../../domain/command.ts";
import { createFlow, wantFlow } from "../../domain/flow/commands.ts";

export const command: Command<"flow/create"> = { keys: wantFlow, execute: createFlow };
