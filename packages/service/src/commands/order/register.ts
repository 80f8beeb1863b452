import type { Command } from "../command.ts";
import { registerOrder, wantOrder } from "./write.ts";

export const command: Command<"order/register"> = { keys: wantOrder, execute: registerOrder };
