import type { Command } from "../../../domain/command.ts";
import { createGroup, wantGroup } from "../../../domain/customer/write-group.ts";

export const command: Command<"customer/group/create"> = { keys: wantGroup, execute: createGroup };
