import type { Command } from "../../domain/command.ts";
import { createPriceList, wantPriceList } from "../../domain/price-list/commands.ts";

export const command: Command<"pricelist/create"> = { keys: wantPriceList, execute: createPriceList };
