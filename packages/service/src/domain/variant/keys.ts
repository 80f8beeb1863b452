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

/** From a variant to its product's shape. */
export function followShape({ productId }: ProductVariantRow, want: Want): void {
  want(items, "key", [productId], wantShapeOf);
}

/** From a variant to those of its product, and to the shape. */
export function followSiblings({ productId }: ProductVariantRow, want: Want): void {
  want(items, "key", [productId], followVariants);
}

/** From a variant that is to be deleted to what selects it. */
export function followSelections({ id }: ProductVariantRow, want: Want): void {
  want(priceListVariants, "variant", [id]);
}

/** From a product to its other variants and its shape. */
export function followVariants(product: ItemRow, want: Want): void {
  want(productVariants, "product", [product.id]);
  wantShapeOf(product, want);
}

function wantShapeOf({ id, shapeIdentifier }: ItemRow, want: Want): void {
  if (shapeIdentifier === null) return;
  wantShape(shapeIdentifier, want, (want) => want(itemContents, "item", [id]));
}
