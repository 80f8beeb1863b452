import type { Command } from "../../domain/command.ts";
import { registerOrder, wantNewOrder } from "../../domain/order/commands.ts";

export const command: Command<"order/register"> = { keys: wantNewOrder, execute: registerOrder };
