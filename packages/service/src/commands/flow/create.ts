import type { Command } from "../command.ts";
import { createFlow, wantFlow } from "./write.ts";

export const command: Command<"flow/create"> = { keys: wantFlow, execute: createFlow };
