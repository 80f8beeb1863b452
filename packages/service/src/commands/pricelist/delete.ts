import type { Command } from "../../domain/command.ts";
import { requirePriceList } from "../../domain/price-list/commands.ts";
import { priceLists, priceListVariants } from "../../storage/collections/price-lists.ts";

/** Deletes a price list with its selection of variants. */
export const command: Command<"pricelist/delete"> = {
  keys({ identifier }, prefetch) {
    prefetch(priceLists, "key", [identifier]);
    prefetch(priceListVariants, "priceList", [identifier]);
  },
  async execute({ unit }, { identifier }) {
    const list = await requirePriceList(unit, identifier);
    const owner = { collection: priceLists, key: identifier };
    for (const selected of await unit.findUnder(owner, priceListVariants, "priceList", identifier))
      unit.remove(priceListVariants, selected);
    unit.remove(priceLists, list);
    return { action: "deleted", output: { identifier } };
  },
};
