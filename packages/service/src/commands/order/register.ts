import type { Command } from "../command.ts";
import { registerOrder, wantNewOrder } from "./write.ts";

export const command: Command<"order/register"> = { keys: wantNewOrder, execute: registerOrder };
