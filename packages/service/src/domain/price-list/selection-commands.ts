import { priceLists, priceListVariants } from "../../storage/collections/price-lists.ts";
import type { Command } from "../command.ts";
import { checkSelectedVariants } from "./check.ts";
import { requirePriceList } from "./commands.ts";
import { prefetchSkus, requireSelectedModifiers, select, selected } from "./selection.ts";

/** Adds or changes the listed variants; keeps all others that the price list selects. */
export const upsertSelected: Command<"pricelist/selectedProductVariants/upsert"> = {
  keys({ identifier, variants }, prefetch) {
    prefetch(priceLists, "key", [identifier]);
    for (const { sku } of variants) prefetch(priceListVariants, "key", [identifier, sku]);
    prefetchSkus(variants, prefetch);
  },
  async execute({ unit, tenant, now }, { identifier, variants }) {
    const list = await requirePriceList(unit, identifier);
    checkSelectedVariants(variants, ["variants"]);
    requireSelectedModifiers(tenant, variants, ["variants"]);
    let changed = false;
    for (const [i, variant] of variants.entries()) {
      const row = await selected(unit, identifier, variant.sku);
      if (await select(unit, identifier, row, variant, ["variants", i, "sku"])) changed = true;
    }
    if (changed) unit.update(priceLists, { ...list, updatedAt: now });
    return { action: changed ? "updated" : "unchanged", output: { identifier } };
  },
};

/** Removes variants from a price list. Skips a SKU that the list does not select, whether or not it exists. */
export const removeSelected: Command<"pricelist/selectedProductVariants/remove"> = {
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
