export interface WalkedRows {
  /** The table, with the alias `b`. */
  readonly table: string;
  /** A condition on the rows; an index begins with the tenant and covers exactly these. */
  readonly condition: string;
  /** The column after the tenant in that index. */
  readonly order: string;
}

/**
 * Walks the tenants that have such rows, in one round by id: from the tenant after `after` to the last, then from the
 * first to `after`; none if that is null. Stops when its reader does. A part of `WITH RECURSIVE`, read by `walked`.
 */
export const walk = (name: string, { table, condition, order }: WalkedRows, after: string): string => `
  ${name} (tenant_id, round) AS (
    SELECT ${after}::text, 0
    UNION ALL
    SELECT coalesce(next, ''), round + CASE WHEN next IS NULL THEN 1 ELSE 0 END FROM (
      SELECT w.round, (SELECT b.tenant_id FROM ${table} WHERE ${condition} AND b.tenant_id > w.tenant_id
        ORDER BY b.tenant_id, ${order} LIMIT 1) AS next
      FROM ${name} w WHERE w.round = 0 OR (w.round = 1 AND w.tenant_id < ${after})) step
  )`;

/** Sorts tenants as a walk visits them. */
export function inRound(tenantIds: readonly string[], after: string): string[] {
  const sorted = tenantIds.toSorted();
  const next = sorted.findIndex((id) => id > after);
  return next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
}

/** The tenants of a walk; follows FROM. */
export const walked = (name: string, after: string): string =>
  `${name} w WHERE w.round = 1 OR w.tenant_id > ${after}`;
