import { type ProductVariantRow, productVariants } from "../collections/product-variants.ts";
import type { Queries } from "../database.ts";
import { conditionList, listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import { rowsByKey } from "./rows.ts";

export const variantsBySku = (queries: Queries, tenantId: string, skus: readonly string[]) =>
  rowsByKey(queries, tenantId, productVariants, "sku", skus);

/** The variants of products, in their order, by product id. */
export async function variantsOfProducts(
  queries: Queries,
  tenantId: string,
  productIds: readonly string[],
): Promise<Map<string, ProductVariantRow[]>> {
  const rows = await queries.query<ProductVariantRow>(
    `SELECT ${productVariants.sql.columnList} FROM product_variants t
     WHERE t.tenant_id = $1 AND t.product_id = ANY($2::text[]) ORDER BY t.position, t.id`,
    [tenantId, productIds],
  );
  return Map.groupBy(rows, ({ productId }) => productId);
}

export interface VariantFilter {
  productId?: string | null;
  skus?: string[] | null;
  externalReferences?: string[] | null;
}

export function listVariants(
  queries: Queries,
  tenantId: string,
  filter: VariantFilter,
  request: PageRequest,
): Promise<Page<ProductVariantRow>> {
  const list = {
    select: `SELECT ${productVariants.sql.columnList} FROM product_variants t`,
    ...conditionList([
      ["t.product_id = ?", filter.productId],
      ["t.sku = ANY(?::text[])", filter.skus],
      ["t.external_reference = ANY(?::text[])", filter.externalReferences],
    ]),
    order: ["t.sku"],
    keyOf: ({ sku }: ProductVariantRow) => [sku],
  };
  return listRows(queries, tenantId, list, request);
}
