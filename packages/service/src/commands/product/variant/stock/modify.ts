import type { Command } from "../../../../domain/command.ts";
import { requireStockLocation } from "../../../../domain/settings/require.ts";
import { requireVariant } from "../../../../domain/variant/commands.ts";
import { withEntry } from "../../../../domain/variant/entries.ts";
import { prefetchVariant } from "../../../../domain/variant/keys.ts";
import { changeFacts, prefetchFacts } from "../../../../domain/variant/published-variants.ts";
import { stockAfter } from "../../../../domain/variant/stock.ts";

/** The draft decides, and what is published of the variant gets the same stock. */
export const command: Command<"product/variant/stock/modify"> = {
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
    return { action: changed ? "updated" : "unchanged", output: { id: variant.productId } };
  },
};
