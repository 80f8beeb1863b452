import type { Commands } from "../command.ts";
import { deleteOrder, orderCommands } from "./commands.ts";

export const orderIntents = {
  "order/register": orderCommands.create,
  "order/update": orderCommands.update,
  "order/upsert": orderCommands.upsert,
  "order/delete": deleteOrder,
} satisfies Partial<Commands>;
