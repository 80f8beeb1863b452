import type { Command } from "../command.ts";
import { createCustomer, wantCustomer } from "./write.ts";

export const command: Command<"customer/create"> = { keys: wantCustomer, execute: createCustomer };
