import type { Command } from "../../../../domain/command.ts";
import { limitCheck } from "../../../../domain/payload/limit-check.ts";
import { requirePriceVariant } from "../../../../domain/settings/require.ts";
import { checkPrices } from "../../../../domain/variant/check.ts";
import { requireVariant } from "../../../../domain/variant/commands.ts";
import { withEntry } from "../../../../domain/variant/entries.ts";
import { prefetchVariant } from "../../../../domain/variant/keys.ts";
import { changeFacts, prefetchFacts } from "../../../../domain/variant/published-variants.ts";

/** Sets a price, and tiers if they are sent, of the draft and of what is published of the variant. */
export const command: Command<"product/variant/price/modify"> = {
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
