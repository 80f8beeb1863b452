import type { Command } from "../../../domain/command.ts";
import { checkSelectedVariants } from "../../../domain/price-list/check.ts";
import { requirePriceList } from "../../../domain/price-list/commands.ts";
import {
  requireSelectedModifiers,
  select,
  selected,
  wantSkus,
} from "../../../domain/price-list/selection.ts";
import { priceLists, priceListVariants } from "../../../storage/collections/price-lists.ts";

/** Adds or changes the listed variants; all others that the price list selects are kept. */
export const command: Command<"pricelist/selectedProductVariants/upsert"> = {
  keys({ identifier, variants }, want) {
    want(priceLists, "key", [identifier]);
    for (const { sku } of variants) want(priceListVariants, "key", [identifier, sku]);
    wantSkus(variants, want);
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
