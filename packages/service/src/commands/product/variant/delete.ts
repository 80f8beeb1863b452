import type { Command } from "../../../domain/command.ts";
import { requireVariant } from "../../../domain/variant/commands.ts";
import { followSelections, prefetchVariant } from "../../../domain/variant/keys.ts";
import { removeVariant, variantsOf } from "../../../domain/variant/update.ts";
import { reject } from "../../../errors.ts";

export const command: Command<"product/variant/delete"> = {
  keys: ({ sku }, prefetch) => prefetchVariant(sku, prefetch, followSelections),
  async execute({ unit }, { sku }) {
    const variant = await requireVariant(unit, sku);
    if (variant.isDefault) {
      const { length } = await variantsOf(unit, variant.productId);
      const advice =
        length > 1 ? "make another variant the default first (isDefault: true)" : "it is the only one";
      reject(
        "CannotDeleteDefaultVariantError",
        `"${sku}" is the default variant of the product ${variant.productId}: ${advice}`,
        ["sku"],
      );
    }
    await removeVariant(unit, variant);
    return { action: "deleted", output: { sku } };
  },
};
