import type { Commands } from "../command.ts";
import { customerCommands, deleteCustomer } from "./commands.ts";
import { deleteGroup, groupCommands } from "./group-commands.ts";

export const customerIntents = {
  "customer/create": customerCommands.create,
  "customer/update": customerCommands.update,
  "customer/upsert": customerCommands.upsert,
  "customer/delete": deleteCustomer,
  "customer/group/create": groupCommands.create,
  "customer/group/update": groupCommands.update,
  "customer/group/upsert": groupCommands.upsert,
  "customer/group/delete": deleteGroup,
} satisfies Partial<Commands>;
