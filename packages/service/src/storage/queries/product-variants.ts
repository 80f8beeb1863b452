import { type ProductVariantRow, productVariants } from "../collections/product-variants.ts";
import type { Queries } from "../database.ts";
import { rowsByKey } from "./rows.ts";

/** The variants with these SKUs, by SKU. */
export const variantsBySku = (queries: Queries, tenantId: string, skus: readonly string[]) =>
  rowsByKey<ProductVariantRow>(queries, tenantId, productVariants, "sku", skus);

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
