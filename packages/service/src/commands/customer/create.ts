import type { Command } from "../../domain/command.ts";
import { createCustomer, wantCustomer } from "../../domain/customer/commands.ts";

export const command: Command<"customer/create"> = { keys: wantCustomer, execute: createCustomer };
