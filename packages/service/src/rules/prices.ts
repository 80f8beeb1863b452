import type { ProductVariantRow } from "../storage/collections/product-variants.ts";

type Prices = ProductVariantRow["priceVariants"];

/** The prices of a variant with one of them set; a price variant that it had no price in is added. */
export function setPrice(prices: Prices, identifier: string, price: number): Prices {
  const place = prices.findIndex((known) => known.identifier === identifier);
  const known = prices[place];
  return known === undefined ? [...prices, { identifier, price }] : prices.with(place, { ...known, price });
}
