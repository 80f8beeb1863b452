import type { Command } from "../../../domain/command.ts";
import { requirePriceList } from "../../../domain/price-list/commands.ts";
import { selected } from "../../../domain/price-list/selection.ts";
import { priceLists, priceListVariants } from "../../../storage/collections/price-lists.ts";

/** Removes variants from a price list. A SKU that the list does not select is skipped, whether or not it exists. */
export const command: Command<"pricelist/selectedProductVariants/remove"> = {
  keys({ identifier, skus }, prefetch) {
    prefetch(priceLists, "key", [identifier]);
    for (const sku of skus) prefetch(priceListVariants, "key", [identifier, sku]);
  },
  async execute({ unit, now }, { identifier, skus }) {
    const list = await requirePriceList(unit, identifier);
    let changed = false;
    for (const sku of skus) {
      const row = await selected(unit, identifier, sku);
      if (row === undefined) continue;
      unit.remove(priceListVariants, row);
      changed = true;
    }
    if (changed) unit.update(priceLists, { ...list, updatedAt: now });
    return { action: changed ? "updated" : "unchanged", output: { identifier } };
  },
};
