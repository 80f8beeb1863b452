import type { Database, Queries } from "../database.ts";
import { retriedTransaction } from "../retry.ts";
import { type Reference, references, referringFirst } from "./references.ts";
import { tablesOfTenants } from "./tenants.ts";

/** Rows deleted per transaction: few, so that it ends soon and doesn't block others. */
const portion = 2_000;

/**
 * Deletes all rows of a tenant except its own in `tenants`, in batches, unreferenced rows first. Can be interrupted
 * anywhere and repeated. Returns true when all rows are gone, false when `over` ended it early.
 */
export async function deleteTenantRows(
  database: Database,
  tenantId: string,
  over: () => boolean,
): Promise<boolean> {
  const all = await references(database);
  for (const table of referringFirst(await tablesOfTenants(database), all)) {
    const sql = deletionOf(
      table,
      all.filter(({ from, to }) => from === table && to === table),
    );
    for (let deleted = portion; deleted > 0; ) {
      if (over()) return false;
      deleted = await retriedTransaction(database, (transaction) => transaction.execute(sql, [tenantId]));
    }
  }
  return true;
}

/** The statement that deletes a batch; of a table that references itself, such as a tree, rows without references. */
function deletionOf(table: string, ownReferences: readonly Reference[]): string {
  const unreferenced = ownReferences.map(({ columns, targets }) => {
    const pairs = columns.map((column, i) => `r.${column} = t.${targets[i]}`);
    return `AND NOT EXISTS (SELECT FROM ${table} r WHERE r.tenant_id = $1 AND ${pairs.join(" AND ")})`;
  });
  return `DELETE FROM ${table} WHERE tenant_id = $1 AND ctid = ANY (ARRAY (
    SELECT t.ctid FROM ${table} t WHERE t.tenant_id = $1 ${unreferenced.join(" ")} LIMIT ${portion}))`;
}

/**
 * Deletes rows of all tenants that meet a condition, the first `most` in an order: a statement for each tenant. Returns
 * their number, which is 0 once none is left.
 */
export async function deleteOfTenants(
  queries: Queries,
  table: string,
  { condition, order, most }: { condition: string; order: string; most: number },
): Promise<number> {
  const found = await queries.query<{ tenantId: string; rows: number }>(
    `SELECT tenant_id AS "tenantId", count(*)::int AS rows FROM (
       SELECT tenant_id FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ${most}) r GROUP BY tenant_id`,
  );
  let deleted = 0;
  for (const { tenantId, rows } of found)
    deleted += await queries.execute(
      `DELETE FROM ${table} WHERE tenant_id = $1 AND ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE tenant_id = $1 AND ${condition} ORDER BY ${order} LIMIT $2))`,
      [tenantId, rows],
    );
  return deleted;
}
