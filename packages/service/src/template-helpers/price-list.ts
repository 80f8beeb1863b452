import { priceLists, priceListVariants } from "../storage/collections/price-lists.ts";
import type { Fetcher } from "./fetcher.ts";

export const fetchPriceListByIdentifier: Fetcher = {
  missing: "PriceListNotFoundError",
  what: "price list has the identifier",
  prefetch: (identifier, _, prefetch) => {
    prefetch(priceLists, "key", [identifier]);
    prefetch(priceListVariants, "priceList", [identifier]);
  },
  find: async ({ unit }, identifier) => {
    const list = await unit.get(priceLists, identifier);
    if (list === undefined) return undefined;
    const owner = { collection: priceLists, key: identifier };
    const rows = await unit.findUnder(owner, priceListVariants, "priceList", identifier);
    const { selectionType: type, ...fields } = list;
    const variants = rows.map(({ sku, priceVariants }) => ({ sku, priceVariants }));
    return { ...fields, selectedProductVariants: { type, variants } };
  },
};
