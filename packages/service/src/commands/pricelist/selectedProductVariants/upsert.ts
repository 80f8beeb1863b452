import type { Command } from "../../../domain/command.ts";
import { checkSelectedVariants } from "../../../domain/price-list/check.ts";
import { requirePriceList } from "../../../domain/price-list/commands.ts";
import {
  prefetchSkus,
  requireSelectedModifiers,
  select,
  selected,
} from "../../../domain/price-list/selection.ts";
import { priceLists, priceListVariants } from "../../../storage/collections/price-lists.ts";

/** Adds or changes the listed variants; all others that the price list selects are kept. */
export const command: Command<"pricelist/selectedProductVariants/upsert"> = {
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
