import { itemContents } from "../../storage/collections/item-contents.ts";
import type { ItemRow } from "../../storage/collections/items.ts";
import { items } from "../../storage/collections/items.ts";
import { priceListVariants } from "../../storage/collections/price-lists.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { Want } from "../../storage/unit-of-work.ts";
import { wantShape } from "../content/compiled-content.ts";

/** Declares a variant by its SKU. */
export function wantVariant(
  sku: string,
  want: Want,
  follow?: (variant: ProductVariantRow, want: Want) => void,
): void {
  want(productVariants, "sku", [sku], follow);
}

/** Follows a variant to the shape of its product. */
export function followShape({ productId }: ProductVariantRow, want: Want): void {
  want(items, "key", [productId], wantShapeOf);
}

/** Follows a variant to all variants of its product, and to the shape. */
export function followSiblings({ productId }: ProductVariantRow, want: Want): void {
  want(items, "key", [productId], followVariants);
}

/** Follows a variant that will be deleted to the price lists that select it. */
export function followSelections({ id }: ProductVariantRow, want: Want): void {
  want(priceListVariants, "variant", [id]);
}

/** Follows a product to its variants and its shape. */
export function followVariants(product: ItemRow, want: Want): void {
  want(productVariants, "product", [product.id]);
  wantShapeOf(product, want);
}

function wantShapeOf({ id, shapeIdentifier }: ItemRow, want: Want): void {
  if (shapeIdentifier === null) return;
  wantShape(shapeIdentifier, want, (want) => want(itemContents, "item", [id]));
}
