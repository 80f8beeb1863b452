import type { Command } from "../command.ts";
import { createPriceList, wantPriceList } from "./write.ts";

export const command: Command<"pricelist/create"> = { keys: wantPriceList, execute: createPriceList };
