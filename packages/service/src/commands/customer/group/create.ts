import type { Command } from "../../command.ts";
import { createGroup, wantGroup } from "./write.ts";

export const command: Command<"customer/group/create"> = { keys: wantGroup, execute: createGroup };
