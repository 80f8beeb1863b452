import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/** Tables of trees, with the parents of a row, `a.id`. */
const parentsIn = {
  items: `SELECT parent_id FROM items WHERE tenant_id = $1 AND id = a.id
    UNION ALL SELECT parent_id FROM item_shortcuts WHERE tenant_id = $1 AND item_id = a.id`,
  topics: "SELECT parent_id FROM topics WHERE tenant_id = $1 AND id = a.id",
} as const;

/**
 * True when a row or one of its ancestors is another row. All rows on the way are locked until the transaction ends,
 * always in the same order, so that none is moved concurrently: the second of two writers waits, and is retried on the
 * first one's changes.
 */
export async function leadsUpTo(
  unit: UnitOfWork,
  table: keyof typeof parentsIn,
  from: string,
  to: string,
): Promise<boolean> {
  const locked = await unit.ask<{ id: string; isAbove: boolean }>(
    `WITH RECURSIVE above AS (
       SELECT $2::text AS id
       UNION SELECT p.parent_id FROM above a CROSS JOIN LATERAL (${parentsIn[table]} OFFSET 0) p WHERE p.parent_id IS NOT NULL
     )
     SELECT i.id, i.id IN (SELECT id FROM above) AS "isAbove" FROM ${table} i
     WHERE i.tenant_id = $1 AND i.id = ANY(ARRAY(SELECT id FROM above UNION SELECT $3::text))
     ORDER BY i.id ${unit.lock("FOR NO KEY UPDATE OF i")}`,
    [from, to],
  );
  return locked.some((row) => row.isAbove && row.id === to);
}
