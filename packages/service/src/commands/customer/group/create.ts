import type { Command } from "../../../domain/command.ts";
import { createGroup, wantGroup } from "../../../domain/customer/group-commands.ts";

export const command: Command<"customer/group/create"> = { keys: wantGroup, execute: createGroup };
