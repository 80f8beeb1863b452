import type { Queries } from "../database.ts";

/**
 * Reads the SKUs that published versions have in variants that are gone, and that other variants have now, of whichever
 * product. The variants that are gone are found first: the planner would look into each published version for them.
 */
export async function movedSkus(queries: Queries, tenantId: string): Promise<string[]> {
  const rows = await queries.query<{ sku: string }>(
    `WITH gone AS MATERIALIZED (
       SELECT p.variant_id, p.product_id FROM published_variants p WHERE p.tenant_id = $1 AND NOT EXISTS (
         SELECT 1 FROM product_variants v WHERE v.tenant_id = $1 AND v.id = p.variant_id))
     SELECT DISTINCT e->>'sku' AS sku FROM gone
     JOIN item_contents c ON c.tenant_id = $1 AND c.item_id = gone.product_id AND c.version = 'published'
     CROSS JOIN LATERAL json_array_elements(c.variants) e
     WHERE e->>'id' = gone.variant_id AND EXISTS (
       SELECT 1 FROM product_variants v WHERE v.tenant_id = $1 AND v.sku = e->>'sku')`,
    [tenantId],
  );
  return rows.map(({ sku }) => sku);
}
