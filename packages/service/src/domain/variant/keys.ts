import { itemContents } from "../../storage/collections/item-contents.ts";
import type { ItemRow } from "../../storage/collections/items.ts";
import { items } from "../../storage/collections/items.ts";
import { priceListVariants } from "../../storage/collections/price-lists.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import { prefetchShape } from "../content/compiled-content.ts";

export function prefetchVariant(
  sku: string,
  prefetch: Prefetch,
  follow?: (variant: ProductVariantRow, prefetch: Prefetch) => void,
): void {
  prefetch(productVariants, "sku", [sku], follow);
}

export function followShape({ productId }: ProductVariantRow, prefetch: Prefetch): void {
  prefetch(items, "key", [productId], prefetchShapeOf);
}

/** Follows a variant to its siblings, and to the shape. */
export function followSiblings({ productId }: ProductVariantRow, prefetch: Prefetch): void {
  prefetch(items, "key", [productId], followVariants);
}

export function followSelections({ id }: ProductVariantRow, prefetch: Prefetch): void {
  prefetch(priceListVariants, "variant", [id]);
}

export function followVariants(product: ItemRow, prefetch: Prefetch): void {
  prefetch(productVariants, "product", [product.id]);
  prefetchShapeOf(product, prefetch);
}

function prefetchShapeOf({ id, shapeIdentifier }: ItemRow, prefetch: Prefetch): void {
  if (shapeIdentifier === null) return;
  prefetchShape(shapeIdentifier, prefetch, (prefetch) => prefetch(itemContents, "item", [id]));
}
