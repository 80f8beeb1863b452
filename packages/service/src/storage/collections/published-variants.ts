import { defineCollection } from "../unit-of-work/collection.ts";
import type { ProductVariantRow } from "./product-variants.ts";

/** The price and stock of a variant, the same in every language. */
export type VariantFacts = Pick<ProductVariantRow, "priceVariants" | "stockLocations">;

/** A variant in the published version of one language: everything except price and stock. */
export type VariantCopy = Omit<ProductVariantRow, keyof VariantFacts>;

/** The published price and stock of a variant, kept once for all languages. */
export interface PublishedVariantRow extends VariantFacts {
  variantId: string;
  productId: string;
  /** The languages whose published version contains the variant: at least one. */
  languages: string[];
}

export const publishedVariants = defineCollection<PublishedVariantRow>()({
  table: "published_variants",
  columns: {
    variantId: "text",
    productId: "text",
    languages: "json",
    priceVariants: "json",
    stockLocations: "json",
  },
  key: ["variantId"],
  indexes: { product: ["productId"] },
  isPart: true,
});

/** The variants of a published version, with their published price and stock. */
export function withFacts(
  copies: readonly VariantCopy[],
  rows: readonly (VariantFacts & { variantId: string })[],
): ProductVariantRow[] {
  const facts = new Map(
    rows.map(({ variantId, priceVariants, stockLocations }) => [
      variantId,
      { priceVariants, stockLocations },
    ]),
  );
  return copies.map((copy) => ({
    ...copy,
    ...(facts.get(copy.id) ?? { priceVariants: [], stockLocations: [] }),
  }));
}
