import type { Command } from "../../domain/command.ts";
import { requirePriceList, updatePriceList, wantPriceList } from "../../domain/price-list/commands.ts";

export const command: Command<"pricelist/update"> = {
  keys: wantPriceList,
  execute: async (context, payload) =>
    updatePriceList(context, await requirePriceList(context.unit, payload.identifier), payload),
};
