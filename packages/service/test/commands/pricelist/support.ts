import { priceListVariants } from "../../../src/storage/collections/price-lists.ts";
import type { Shop } from "../../support/commands.ts";

export const modifier = { identifier: "default", modifier: 10 };

export const list = (more: object = {}) => ({
  ...{ identifier: "spring", name: "Spring", modifierType: "PERCENTAGE", priceVariants: [modifier] },
  ...{ selectedProductVariants: { type: "ALL_SKUS" }, targetAudience: { type: "EVERYONE" } },
  ...more,
});

/** A selection of variants, by SKU or with modifiers of their own. */
export const some = (...variants: unknown[]) => ({
  selectedProductVariants: {
    type: "SOME_SKUS",
    variants: variants.map((variant) => (typeof variant === "string" ? { sku: variant } : variant)),
  },
});

export const own = [{ identifier: "default", modifier: 20.5, decimalPlaces: 2 }];

export const productId = "0123456789abcdef01234567";

/** A product whose variants have the SKUs chair, sofa and table; chair is the default. */
export async function furnish(shop: Shop): Promise<void> {
  await shop.done("shape/create", { identifier: "furniture", name: "Furniture", type: "product" });
  const variants = ["chair", "sofa", "table"].map((sku) => ({ sku, name: sku }));
  const named = { language: "en", shapeIdentifier: "furniture", name: "Furniture" };
  await shop.done("product/upsert", { itemId: productId, ...named, variants });
}

/** The SKUs that a price list selects, with how many modifiers each has of its own. */
export async function selected(shop: Shop, identifier = "spring"): Promise<Record<string, number>> {
  const rows = (await shop.all(priceListVariants)).filter((row) => row.priceListIdentifier === identifier);
  return Object.fromEntries(rows.map((row) => [row.sku, row.priceVariants.length] as const).sort());
}
