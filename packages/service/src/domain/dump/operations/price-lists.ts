import {
  type PriceListVariantRow,
  priceLists,
  priceListVariants,
} from "../../../storage/collections/price-lists.ts";
import type { ReadKind } from "../dumped-tenant.ts";
import { operation } from "../operation.ts";
import { pagesOf } from "../pages.ts";

/** Reads price lists, then their selected variants, which may exceed the limit of one operation. */
export const readPriceLists: ReadKind = async function* (dumped) {
  for await (const rows of pagesOf(dumped, priceLists))
    yield rows.map(({ selectionType, startDate, endDate, createdAt, updatedAt, ...fields }) =>
      operation("pricelist/upsert", {
        ...fields,
        selectedProductVariants: { type: selectionType },
        ...{ startDate, endDate },
      }),
    );
  for await (const rows of pagesOf(dumped, priceListVariants))
    yield [...Map.groupBy(rows, (row) => row.priceListIdentifier)].map(([identifier, selected]) =>
      operation("pricelist/selectedProductVariants/upsert", {
        identifier,
        variants: selected.map(selection),
      }),
    );
};

const selection = ({ sku, priceVariants }: PriceListVariantRow) => ({ sku, priceVariants });
