import type { Database } from "../database.ts";
import { retriedTransaction } from "../retry.ts";
import { type Reference, references, referringFirst } from "./references.ts";
import { tablesOfTenants } from "./tenants.ts";

/** Rows that one transaction deletes: few, so that it ends soon and does not hold up others. */
const portion = 2_000;

/**
 * Deletes every row of a tenant but its own in `tenants`, in portions, rows that no others refer to first. Can be
 * interrupted anywhere and repeated. Returns true when all rows are gone, false when `over` ended it after a portion.
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

/** The statement that deletes a portion; of a table that refers to itself, such as a tree, rows without references. */
function deletionOf(table: string, ownReferences: readonly Reference[]): string {
  const unreferenced = ownReferences.map(({ columns, targets }) => {
    const pairs = columns.map((column, i) => `r.${column} = t.${targets[i]}`);
    return `AND NOT EXISTS (SELECT FROM ${table} r WHERE r.tenant_id = $1 AND ${pairs.join(" AND ")})`;
  });
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
    SELECT t.ctid FROM ${table} t WHERE t.tenant_id = $1 ${unreferenced.join(" ")} LIMIT ${portion}))`;
}
