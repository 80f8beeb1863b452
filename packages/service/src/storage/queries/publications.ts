import { type ItemContentRow, itemContents } from "../collections/item-contents.ts";
import { type ItemRow, items } from "../collections/items.ts";
import { type ProductVariantRow, productVariants } from "../collections/product-variants.ts";
import { type PublishedVariantRow, publishedVariants } from "../collections/published-variants.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/** An item and its descendants, at most `limit`. */
export const subtreeOf = (unit: UnitOfWork, id: string, limit: number): Promise<ItemRow[]> =>
  unit.select(
    items,
    `t.id IN (
       WITH RECURSIVE subtree AS (
         SELECT id FROM items WHERE tenant_id = $1 AND id = $2
         UNION SELECT c.id FROM items c JOIN subtree s ON c.tenant_id = $1 AND c.parent_id = s.id
       ) SELECT id FROM subtree LIMIT $3
     )`,
    [id, limit],
  );

/** The contents of items, of both versions and in all languages. */
export const contentsInAllLanguages = (unit: UnitOfWork, itemIds: string[]): Promise<ItemContentRow[]> =>
  unit.select(itemContents, "t.item_id = ANY($2)", [itemIds]);

/** The contents of items in a language, of both versions. */
export const contentsIn = (
  unit: UnitOfWork,
  language: string,
  itemIds: string[],
): Promise<ItemContentRow[]> =>
  unit.select(itemContents, "t.language = $2 AND t.item_id = ANY($3)", [language, itemIds]);

export const publishedContentsIn = (
  unit: UnitOfWork,
  language: string,
  itemIds: string[],
): Promise<ItemContentRow[]> =>
  unit.select(itemContents, "t.version = 'published' AND t.language = $2 AND t.item_id = ANY($3)", [
    language,
    itemIds,
  ]);

/** The variants of products, as their drafts have them. */
export const variantsOfProducts = (unit: UnitOfWork, productIds: string[]): Promise<ProductVariantRow[]> =>
  unit.select(productVariants, "t.product_id = ANY($2)", [productIds]);

/** The price and stock that the published languages of products share. */
export const publishedVariantsOf = (unit: UnitOfWork, productIds: string[]): Promise<PublishedVariantRow[]> =>
  unit.select(publishedVariants, "t.product_id = ANY($2)", [productIds]);
