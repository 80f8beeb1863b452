import type { ComponentContent } from "@lading/schema/internal";
import type { ItemContentRow } from "../../../storage/collections/item-contents.ts";
import type { ProductVariantRow } from "../../../storage/collections/product-variants.ts";

/** A variant, as a product's payload lists it. */
export type VariantFields = Readonly<Record<string, unknown>>;

/**
 * The variants of a product in one language. A payload requires their names, so a variant without one in the language
 * gets the product's.
 */
export const variantsIn = (
  { language, name }: Pick<ItemContentRow, "language" | "name">,
  rows: readonly ProductVariantRow[],
  readable: (variant: ProductVariantRow, components: readonly ComponentContent[]) => ComponentContent[],
): VariantFields[] =>
  rows.map((row) => {
    const content = row.contents[language];
    return {
      sku: row.sku,
      name: content?.name ?? name,
      externalReference: row.externalReference,
      ...(row.isDefault && { isDefault: true }),
      attributes: content?.attributes ?? [],
      components: readable(row, content?.components ?? []),
      images: row.images,
      videos: row.videos,
      priceVariants: row.priceVariants,
      stockLocations: row.stockLocations,
      subscriptionPlans: row.subscriptionPlans,
    };
  });
