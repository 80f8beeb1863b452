import { groupCommands } from "../../../domain/customer/group-commands.ts";

export const command = groupCommands.update;
