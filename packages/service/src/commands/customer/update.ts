import { customerCommands } from "../../domain/customer/commands.ts";

export const command = customerCommands.update;
