import type { Cluster } from "../database.ts";

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

/** The tenants of a walk; follows FROM. */
export const walked = (name: string, after: string): string =>
  `${name} w WHERE w.round = 1 OR w.tenant_id > ${after}`;

/** Tenants that a cluster is asked for at a time. */
const tenantsOfPage = 100;

/** The tenants of a cluster with rows `b` on a condition, in the order of a walk; see `Cluster.tenantsWith`. */
export async function* tenantsInRound(
  cluster: Cluster,
  table: string,
  condition: (relation: string) => string,
  after: string,
): AsyncGenerator<string> {
  for (const [from, to] of [[after], ["", after]] as const)
    for (let last = from; to === undefined || last < to; ) {
      const ids = await cluster.tenantsWith(table, condition, { after: last, most: tenantsOfPage });
      for (const id of ids) if (to === undefined || id <= to) yield id;
      if (ids.length < tenantsOfPage) break;
      last = ids.at(-1) ?? "";
    }
}
