import type { Command } from "../../../domain/command.ts";
import { changeVariant, createVariant, prefetchVariantOfProduct } from "../../../domain/variant/commands.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";

/** Rejects a SKU that another product has, as a create does: variants do not move between products. */
export const command: Command<"product/variant/upsert"> = {
  keys: prefetchVariantOfProduct,
  async execute(context, payload) {
    const [variant] = await context.unit.find(productVariants, "sku", payload.sku);
    if (variant?.productId === payload.productId) return changeVariant(context, variant, payload);
    return createVariant(context, payload);
  },
};
