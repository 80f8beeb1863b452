import type { Database, Queries } from "../database.ts";
import { retriedTransaction } from "../retry.ts";
import { isMissingTable } from "../sql-states.ts";
import { tablesOfTenants } from "./tenants.ts";

/** Rows that one transaction deletes: few, so that it ends soon and does not hold up others. */
const portion = 2_000;

/** A foreign key between tables of tenants, with its pairs of columns after the tenant. */
interface Reference {
  from: string;
  to: string;
  columns: string[];
  targets: string[];
}

/**
 * Deletes every row of a tenant but its own in `tenants`, in portions, rows that no others refer to first. Can be
 * interrupted anywhere and repeated. Returns true when all rows are gone, false when `over` ended it after a portion.
 */
export async function deleteTenantRows(
  database: Database,
  tenantId: string,
  over: () => boolean,
): Promise<boolean> {
  const references = await referencesAmongTenants(database);
  for (const table of inOrder(await tablesOfTenants(database), references)) {
    const sql = deletionOf(
      table,
      references.filter(({ from, to }) => from === table && to === table),
    );
    for (let deleted = portion; deleted > 0; ) {
      if (over()) return false;
      deleted = await retriedTransaction(database, (transaction) =>
        transaction.execute(sql, [tenantId]),
      ).catch(noneOfMissing);
    }
  }
  return true;
}

/** A table may be dropped meanwhile: that of old log entries, once it is empty. */
function noneOfMissing(error: unknown): number {
  if (isMissingTable(error)) return 0;
  throw error;
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

/** Sorts tables: each comes before those that it refers to. */
function inOrder(tables: readonly string[], references: readonly Reference[]): string[] {
  const remaining = new Set(tables);
  const order: string[] = [];
  while (remaining.size > 0) {
    const free = [...remaining].filter(
      (table) => !references.some(({ from, to }) => to === table && from !== table && remaining.has(from)),
    );
    if (free.length === 0)
      throw new Error(`the tables ${[...remaining].join(", ")} refer to each other in a circle`);
    for (const table of free) remaining.delete(table);
    order.push(...free);
  }
  return order;
}

async function referencesAmongTenants(queries: Queries): Promise<Reference[]> {
  const names = (key: string, table: string) => `(
    SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(c.${key}) WITH ORDINALITY AS k(number, place)
    JOIN pg_attribute a ON a.attrelid = c.${table} AND a.attnum = k.number WHERE a.attname <> 'tenant_id')`;
  return queries.query<Reference>(
    `SELECT f.relname AS "from", t.relname AS "to", ${names("conkey", "conrelid")} AS columns,
       ${names("confkey", "confrelid")} AS targets
     FROM pg_constraint c JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
     WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace`,
  );
}
