import type { Command } from "../../domain/command.ts";
import { createFlow, wantFlow } from "../../domain/flow/write.ts";

export const command: Command<"flow/create"> = { keys: wantFlow, execute: createFlow };
