import type { Database } from "../database.ts";
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
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
    SELECT t.ctid FROM ${table} t WHERE t.tenant_id = $1 ${unreferenced.join(" ")} LIMIT ${portion}))`;
}
