import { reject } from "../../../errors.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";
import type { Command } from "../../command.ts";
import { wantVariant } from "../../item/write/variant-keys.ts";
import { variantsOf } from "../../item/write/variants.ts";
import { requireVariant } from "./variant.ts";

export const command: Command<"product/variant/delete"> = {
  keys: ({ sku }, want) => wantVariant(sku, want),
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
    unit.remove(productVariants, variant);
    return { action: "deleted", output: { sku } };
  },
};
