import { withEntry } from "../../../../rules/entries.ts";
import { limitCheck } from "../../../../rules/items/limits.ts";
import { changeFacts, wantFacts } from "../../../../rules/published-variants.ts";
import { checkPrices } from "../../../../rules/variants.ts";
import type { Command } from "../../../command.ts";
import { wantVariant } from "../../../item/write/variant-keys.ts";
import { requirePriceVariant } from "../../../settings.ts";
import { requireVariant } from "../variant.ts";

/** Sets a price, and tiers if they are sent, of the draft and of what is published of the variant. */
export const command: Command<"product/variant/price/modify"> = {
  keys: ({ sku }, want) => wantVariant(sku, want, wantFacts),
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
