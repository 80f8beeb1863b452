import { withEntry } from "../../../../rules/entries.ts";
import { changeFacts, wantFacts } from "../../../../rules/published-variants.ts";
import { stockAfter } from "../../../../rules/stock.ts";
import type { Command } from "../../../command.ts";
import { wantVariant } from "../../../item/write/variant-keys.ts";
import { requireStockLocation } from "../../../settings.ts";
import { requireVariant } from "../variant.ts";

/** The draft decides, and what is published of the variant gets the same stock. */
export const command: Command<"product/variant/stock/modify"> = {
  keys: ({ sku }, want) => wantVariant(sku, want, wantFacts),
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
