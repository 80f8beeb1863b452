import { merge } from "../../../../rules/same.ts";
import { changeStock } from "../../../../rules/stock.ts";
import { productVariants } from "../../../../storage/collections/product-variants.ts";
import type { Command } from "../../../command.ts";
import { wantVariant } from "../../../item/write/variant-keys.ts";
import { requireStockLocation } from "../../../settings.ts";
import { requireVariant } from "../variant.ts";

export const command: Command<"product/variant/stock/modify"> = {
  keys: ({ sku }, want) => wantVariant(sku, want),
  async execute({ unit, tenant, now }, { sku, operation, quantity, stockLocationIdentifier }) {
    const variant = await requireVariant(unit, sku);
    const location = requireStockLocation(tenant, stockLocationIdentifier, ["stockLocationIdentifier"]);
    const stockLocations = changeStock(variant.stockLocations, { sku, operation, quantity, location });
    const changed = merge(variant, { stockLocations }, now);
    if (changed !== undefined) unit.update(productVariants, changed);
    return { action: changed ? "updated" : "unchanged", output: { id: variant.productId } };
  },
};
