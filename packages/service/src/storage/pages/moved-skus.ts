import type { Queries } from "../database.ts";

/**
 * SKUs in published versions whose variants are deleted, as SQL. These variants are found first: the planner would look
 * into each published version for them.
 */
const goneSkus = `WITH gone AS MATERIALIZED (
    SELECT p.product_id, array_agg(p.variant_id) AS ids FROM published_variants p
    WHERE p.tenant_id = $1 AND NOT EXISTS (
      SELECT 1 FROM product_variants v WHERE v.tenant_id = $1 AND v.id = p.variant_id)
    GROUP BY p.product_id),
  gone_skus AS (
    SELECT e->>'sku' AS sku, e->>'id' AS variant_id, gone.product_id FROM gone
    JOIN item_contents c ON c.tenant_id = $1 AND c.item_id = gone.product_id AND c.version = 'published'
    CROSS JOIN LATERAL json_array_elements(c.variants) e
    WHERE e->>'id' = ANY(gone.ids))`;

/** Tells of a SKU in a product's versions whether it moved between variants since one of them was published. */
export type IsMoved = (sku: string, productId: string) => boolean;

/**
 * Reads the SKUs of deleted variants in published versions that others also have: variants of any current product, or,
 * of the same product only, another published version.
 */
export async function movedSkus(queries: Queries, tenantId: string): Promise<IsMoved> {
  const rows = await queries.query<{ sku: string; productId: string | null }>(
    `${goneSkus} SELECT sku, NULL AS "productId" FROM gone_skus g
     WHERE EXISTS (SELECT 1 FROM product_variants v WHERE v.tenant_id = $1 AND v.sku = g.sku)
     UNION SELECT sku, product_id FROM gone_skus GROUP BY sku, product_id HAVING count(DISTINCT variant_id) > 1`,
    [tenantId],
  );
  const moved = Map.groupBy(rows, ({ sku }) => sku);
  return (sku, id) => moved.get(sku)?.some(({ productId }) => (productId ?? id) === id) ?? false;
}

/** Reads the SKUs with a prefix, of variants and those only in published versions. */
export async function skusWithPrefix(queries: Queries, tenantId: string, prefix: string): Promise<string[]> {
  const rows = await queries.query<{ sku: string }>(
    `${goneSkus} SELECT sku FROM gone_skus WHERE starts_with(sku, $2)
     UNION SELECT sku FROM product_variants WHERE tenant_id = $1 AND starts_with(sku, $2)`,
    [tenantId, prefix],
  );
  return rows.map(({ sku }) => sku);
}
