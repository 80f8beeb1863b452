import type { Command } from "../command.ts";
import { limitCheck } from "../payload/limit-check.ts";
import { requirePriceVariant, requireStockLocation } from "../settings/require.ts";
import { checkPrices } from "./check.ts";
import { requireVariant } from "./commands.ts";
import { prefetchVariant } from "./keys.ts";
import { changeFacts, prefetchFacts } from "./published-variants.ts";
import { stockAfter } from "./stock.ts";

/** The draft decides; the published variant gets the same stock. */
export const modifyStock: Command<"product/variant/stock/modify"> = {
  keys: ({ sku }, prefetch) => prefetchVariant(sku, prefetch, prefetchFacts),
  async execute({ unit, tenant, now }, { sku, operation, quantity, stockLocationIdentifier }) {
    const variant = await requireVariant(unit, sku);
    const location = requireStockLocation(tenant, stockLocationIdentifier, ["stockLocationIdentifier"]);
    const stock = stockAfter(variant.stockLocations, { sku, operation, quantity, location });
    const entry = { identifier: location.identifier, stock };
    const changed = await changeFacts(
      unit,
      variant,
      ({ stockLocations }) => ({ stockLocations: withEntry(stockLocations, entry) }),
      now,
    );
    return { action: changed ? "updated" : "unchanged", output: { id: variant.productId, sku } };
  },
};

/** Sets a price, and tiers if sent, of the draft and the published variant. */
export const modifyPrice: Command<"product/variant/price/modify"> = {
  keys: ({ sku }, prefetch) => prefetchVariant(sku, prefetch, prefetchFacts),
  async execute({ unit, tenant, now }, { sku, priceVariantIdentifier, ...sent }) {
    const check = limitCheck();
    checkPrices(check, sent, []);
    check.end();
    const variant = await requireVariant(unit, sku);
    requirePriceVariant(tenant, priceVariantIdentifier, ["priceVariantIdentifier"]);
    const entry = { identifier: priceVariantIdentifier, ...sent };
    const changed = await changeFacts(
      unit,
      variant,
      ({ priceVariants }) => ({ priceVariants: withEntry(priceVariants, entry) }),
      now,
    );
    return { action: changed ? "updated" : "unchanged", output: { id: variant.productId, sku } };
  },
};

/** Sets fields of the entry with the same identifier, or appends a missing entry. */
function withEntry<Entry extends { identifier: string }>(list: readonly Entry[], entry: Entry): Entry[] {
  const index = list.findIndex(({ identifier }) => identifier === entry.identifier);
  const before = list[index];
  return before === undefined ? [...list, entry] : list.with(index, { ...before, ...entry });
}
