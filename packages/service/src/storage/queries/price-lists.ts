import {
  type PriceListRow,
  type PriceListVariantRow,
  priceLists,
  priceListVariants,
} from "../collections/price-lists.ts";
import type { Queries } from "../database.ts";
import { listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import { rowsByKey } from "./rows.ts";

export const findPriceList = async (queries: Queries, tenantId: string, identifier: string) =>
  (await rowsByKey(queries, tenantId, priceLists, "identifier", [identifier])).get(identifier);

export const listPriceLists = (
  queries: Queries,
  tenantId: string,
  request: PageRequest,
): Promise<Page<PriceListRow>> => {
  const list = {
    select: `SELECT ${priceLists.sql.columnList} FROM ${priceLists.table} t`,
    conditions: [],
    parameters: [],
    order: ["t.identifier"],
    keyOf: (row: PriceListRow) => [row.identifier],
  };
  return listRows(queries, tenantId, list, request);
};

/** The variants that price lists select, ordered by SKU, by the list's identifier. */
export async function selectedVariants(
  queries: Queries,
  tenantId: string,
  identifiers: readonly string[],
): Promise<Map<string, PriceListVariantRow[]>> {
  const rows = await queries.query<PriceListVariantRow>(
    `SELECT ${priceListVariants.sql.columnList} FROM ${priceListVariants.table} t
     WHERE t.tenant_id = $1 AND t.price_list_identifier = ANY($2::text[]) ORDER BY t.sku`,
    [tenantId, identifiers],
  );
  return Map.groupBy(rows, ({ priceListIdentifier }) => priceListIdentifier);
}
