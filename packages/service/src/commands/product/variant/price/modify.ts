import { limitCheck } from "../../../../rules/items/limits.ts";
import { setPrice } from "../../../../rules/prices.ts";
import { merge } from "../../../../rules/same.ts";
import { checkPrice } from "../../../../rules/variants.ts";
import { productVariants } from "../../../../storage/collections/product-variants.ts";
import type { Command } from "../../../command.ts";
import { wantVariant } from "../../../item/write/variant-keys.ts";
import { requirePriceVariant } from "../../../settings.ts";
import { requireVariant } from "../variant.ts";

export const command: Command<"product/variant/price/modify"> = {
  keys: ({ sku }, want) => wantVariant(sku, want),
  async execute({ unit, tenant, now }, { sku, priceVariantIdentifier, price }) {
    const check = limitCheck();
    checkPrice(check, price, ["price"]);
    check.end();
    const variant = await requireVariant(unit, sku);
    requirePriceVariant(tenant, priceVariantIdentifier, ["priceVariantIdentifier"]);
    const priceVariants = setPrice(variant.priceVariants, priceVariantIdentifier, price);
    const changed = merge(variant, { priceVariants }, now);
    if (changed !== undefined) unit.update(productVariants, changed);
    return { action: changed ? "updated" : "unchanged", output: { id: variant.productId, sku } };
  },
};
