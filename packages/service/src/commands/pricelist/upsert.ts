import type { Command } from "../../domain/command.ts";
import { createPriceList, updatePriceList, wantPriceList } from "../../domain/price-list/commands.ts";
import { priceLists } from "../../storage/collections/price-lists.ts";

export const command: Command<"pricelist/upsert"> = {
  keys: wantPriceList,
  async execute(context, payload) {
    const list = await context.unit.get(priceLists, payload.identifier);
    return list === undefined ? createPriceList(context, payload) : updatePriceList(context, list, payload);
  },
};
