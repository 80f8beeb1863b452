import { collectionOf } from "../collections/all.ts";
import type { Database, DatabaseSession, Queries } from "../database.ts";
import { sqlStateOf, sqlStates } from "../sql-states.ts";
import { columnName, type Table } from "../unit-of-work/collection.ts";

/** The table for the rows that a plan would write into another one. */
export const overlayTable = (table: string): string => `o_${table}`;

interface Index {
  readonly isPrimary: boolean;
  readonly definition: string;
}

export async function tablesOverlaid(session: Queries): Promise<string[]> {
  const rows = await session.query<{ table: string }>(
    `SELECT substr(relname, ${overlayTable("").length + 1}) AS table FROM pg_class
     WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r'`,
  );
  return rows.map(({ table }) => table);
}

/**
 * Creates a table's overlay: a temporary table with its columns, checks and indexes, and a view of its name. The view
 * has the table's rows that the overlay doesn't have, and the overlay's rows that are not deleted; `is_planned` tells
 * them apart. It shows all tenants, like the table. Does nothing if it exists: on PGlite, whose sessions share a
 * connection, another plan may have created it.
 */
export async function makeOverlay(session: DatabaseSession, table: string): Promise<void> {
  const collection = collectionOf(table);
  if (collection === undefined) throw new Error(`the table ${table} is unknown`);
  const relation = session.relationOf?.(table) ?? table;
  const indexes = await session.query<Index>(
    `SELECT i.indisprimary AS "isPrimary", pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid = $1::regclass`,
    [relation],
  );
  const statements = [
    createTable(collection, relation),
    ...indexes.map((index) => createIndex(collection, index)),
    ...(relation === table ? [] : [`DROP VIEW ${table}`]),
    // From here on the name no longer means the table; in prepared statements, from the next one on.
    createView(collection, relation),
    "DISCARD PLANS",
  ];
  await session.script(statements.join(";\n")).catch((error) => {
    if (sqlStateOf(error) !== sqlStates.duplicateTable) throw error;
  });
}

const createTable = ({ table }: Table, relation: string) =>
  `CREATE TEMP TABLE ${overlayTable(table)} (LIKE ${relation} INCLUDING CONSTRAINTS, gone boolean NOT NULL)`;

/**
 * Only the key is unique: a deleted row frees its other unique values. The tenant is not the first column: before the
 * planner knows of any rows, it considers any index that begins with it as good as the right one, and statements are
 * planned when the overlay is empty.
 */
function createIndex({ table, key }: Table, { isPrimary, definition }: Index): string {
  if (isPrimary)
    return `CREATE UNIQUE INDEX ON ${overlayTable(table)} (${key.map(columnName).join(", ")}, tenant_id)`;
  const columns = definition.slice(definition.indexOf(" USING "));
  return `CREATE INDEX ON ${overlayTable(table)}${columns.replace("(tenant_id, ", "(")}`;
}

function createView({ table, columns, key }: Table, relation: string): string {
  const names = ["tenant_id", ...Object.keys(columns).map(columnName)].join(", ");
  const sameKey = ["tenant_id", ...key.map(columnName)].map((name) => `o.${name} = b.${name}`).join(" AND ");
  // OFFSET 0 makes it one look-up per row: without statistics, the planner would join the whole overlay.
  return `CREATE TEMP VIEW ${table} AS
    SELECT ${names}, false AS is_planned FROM ${relation} b
    WHERE NOT EXISTS (SELECT FROM ${overlayTable(table)} o WHERE ${sameKey} OFFSET 0)
    UNION ALL SELECT ${names}, true FROM ${overlayTable(table)} WHERE NOT gone`;
}

/**
 * Empties the overlay of what a tenant's plan has written: tables that were filled. PGlite's session is shared: others
 * may plan meanwhile, and rows of an earlier plan may be there. The planner would assume no rows in a vacuumed table,
 * so that look-ups would scan it; in a truncated one, an unknown number.
 */
export async function emptyOverlay(
  session: Queries & Pick<Database, "engine">,
  tenantId: string,
  { overlaid, filled }: Record<"overlaid" | "filled", ReadonlySet<string>>,
): Promise<void> {
  const names = [...filled].map(overlayTable);
  if (session.engine === "postgresql") {
    if (names.length > 0) await session.execute(`TRUNCATE ${names.join(", ")}`);
    return;
  }
  for (const table of overlaid)
    await session.execute(`DELETE FROM ${overlayTable(table)} WHERE tenant_id = $1`, [tenantId]);
  for (const name of names)
    await session.execute(
      `DO $$ BEGIN IF NOT EXISTS (SELECT FROM ${name}) THEN TRUNCATE ${name}; END IF; END $$`,
    );
}
