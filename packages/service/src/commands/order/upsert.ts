import { orderCommands } from "../../domain/order/commands.ts";

export const command = orderCommands.upsert;
