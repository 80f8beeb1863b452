import type { Commands } from "../command.ts";
import { addItems } from "./add-items.ts";
import { deleteFlow, flowCommands } from "./commands.ts";

export const flowIntents = {
  "flow/create": flowCommands.create,
  "flow/update": flowCommands.update,
  "flow/upsert": flowCommands.upsert,
  "flow/delete": deleteFlow,
  "item/flow/stage/addItems": addItems,
} satisfies Partial<Commands>;
