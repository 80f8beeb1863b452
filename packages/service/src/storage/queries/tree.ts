import type { Queries } from "../database.ts";

/**
 * The paths of items in one language, `/shop/shoes`, by item id: the segments of the item and of all above it. Null
 * where one of them has no content in the language; the root's is `/`.
 */
export async function pathsOfItems(
  queries: Queries,
  tenantId: string,
  language: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await queries.query<{ id: string; path: string | null }>(
    `WITH RECURSIVE up AS (
       SELECT t.id AS item_id, t.id, t.parent_id, 0 AS depth FROM items t
       WHERE t.tenant_id = $1 AND t.id = ANY($3::text[])
       UNION ALL
       SELECT up.item_id, p.id, p.parent_id, up.depth + 1
       FROM up JOIN items p ON p.tenant_id = $1 AND p.id = up.parent_id
     )
     SELECT up.item_id AS id,
       CASE WHEN bool_and(up.parent_id IS NULL OR c.segment IS NOT NULL)
         THEN '/' || coalesce(string_agg(c.segment, '/' ORDER BY up.depth DESC), '') END AS path
     FROM up LEFT JOIN item_contents c
       ON c.tenant_id = $1 AND c.item_id = up.id AND c.language = $2 AND c.version = 'draft'
     GROUP BY up.item_id`,
    [tenantId, language, ids],
  );
  return new Map(rows.map(({ id, path }) => [id, path]));
}

/** The positions of items among the children of their parents, from 1, by item id. Costs a count per item. */
export async function positionsOfItems(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries.query<{ id: string; position: number }>(
    `SELECT t.id, 1 + (
       SELECT count(*) FROM items s
       WHERE s.tenant_id = $1 AND s.parent_id = t.parent_id AND (s.sort_key, s.id) < (t.sort_key, t.id)
     ) AS position
     FROM items t WHERE t.tenant_id = $1 AND t.id = ANY($2::text[])`,
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, position }) => [id, position]));
}
