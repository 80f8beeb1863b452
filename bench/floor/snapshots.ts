import type { Connection } from "./connection.ts";
import { isLog, type LogForm, logTables } from "./log-tables.ts";

/** A table of the service: columns with their types, and the primary key. */
export interface Table {
  name: string;
  types: Readonly<Record<string, string>>;
  key: readonly string[];
}

/** Values as PostgreSQL writes them, except booleans. */
export type Cells = readonly (string | boolean | null)[];

/** Rows of one table that differ between two snapshots in the same columns. */
export interface Change {
  table: Table;
  verb: "insert" | "update";
  /** For an insert everything, for an update the key and the changes. */
  columns: readonly string[];
  rows: readonly Cells[];
  /** Name of the staging table of an update by COPY. */
  staging: string;
}

/** Tables that no operation writes. */
const untouched = ["access_tokens", "audit_trail", "bulk_tasks", "bulk_task_issues", "bulk_task_references"];

/** The tables that operations write, with the log in one form. */
async function describeTables(connection: Connection, log: LogForm): Promise<Table[]> {
  const other = logTables[log === "rows" ? "blocks" : "rows"];
  const columns = await connection.query<{ table: string; column: string; type: string; key: boolean }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
            a.attnum = ANY (i.indkey) AS key
     FROM pg_class c
     JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> ALL ($1)
       AND EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant_id')
     ORDER BY c.relname, a.attnum`,
    [[...untouched, ...other]],
  );
  const names = [...new Set(columns.map(({ table }) => table))];
  return names.map((name) => {
    const own = columns.filter(({ table }) => table === name);
    return {
      name,
      types: Object.fromEntries(own.map(({ column, type }) => [column, type])),
      key: own.filter(({ key }) => key).map(({ column }) => column),
    };
  });
}

/** Copies a tenant's rows of every table, and of the log the entries of one task, into a schema of that name. */
export async function takeSnapshot(
  connection: Connection,
  snapshot: string,
  { tenantId, taskId }: { tenantId: string; taskId: string | null },
): Promise<void> {
  await connection.query(`CREATE SCHEMA ${snapshot}`);
  for (const { name } of await describeTables(connection, "blocks")) {
    const ofTask = isLog(name) ? `AND task_id = '${taskId}'` : "";
    await connection.query(
      `CREATE TABLE ${snapshot}.${name} AS SELECT * FROM ${name} WHERE tenant_id = '${tenantId}' ${ofTask}`,
    );
  }
}

const rowsOf = (table: Table, snapshot: string) =>
  isLog(table.name) ? `(SELECT * FROM ${table.name} WHERE false)` : `${snapshot}.${table.name}`;

const matching = ({ key }: Table) => key.map((column) => `a.${column} = b.${column}`).join(" AND ");

/**
 * Finds the rows inserted and updated between two snapshots; throws if rows are gone. Ids grow with time, so
 * rows that belong together are at the same position when each table is sorted by its key.
 */
export async function changesBetween(
  connection: Connection,
  before: string,
  after: string,
  log: LogForm,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const table of await describeTables(connection, log))
    changes.push(...(await changesOf(connection, table, before, after)));
  return changes;
}

interface ChangedRow {
  added: boolean;
  changed: string;
  [column: string]: string | boolean | null;
}

async function changesOf(
  connection: Connection,
  table: Table,
  before: string,
  after: string,
): Promise<Change[]> {
  const columns = Object.keys(table.types);
  const [gone] = await connection.query<{ count: string }>(
    `SELECT count(*)::text AS count FROM ${rowsOf(table, before)} a
     WHERE NOT EXISTS (SELECT FROM ${after}.${table.name} b WHERE ${matching(table)})`,
  );
  if (gone?.count !== "0") throw new Error(`${gone?.count} rows of ${table.name} were deleted`);
  const differing = columns.map(
    (column) => `CASE WHEN a.${column}::text IS DISTINCT FROM b.${column}::text THEN '${column}' END`,
  );
  const cells = columns.map((column) =>
    table.types[column] === "boolean" ? `a.${column}` : `a.${column}::text AS ${column}`,
  );
  const rows = await connection.query<ChangedRow>(
    `SELECT b.tenant_id IS NULL AS added, concat_ws(',', ${differing}) AS changed, ${cells}
     FROM ${after}.${table.name} a LEFT JOIN ${rowsOf(table, before)} b ON ${matching(table)}
     WHERE a::text IS DISTINCT FROM b::text ORDER BY ${table.key.map((column) => `a.${column}`)}`,
  );
  const groups = Map.groupBy(rows, ({ added, changed }) => (added ? "" : changed));
  return [...groups].map(([changed, members], i) => {
    const written = changed === "" ? columns : [...table.key, ...changed.split(",")];
    return {
      table,
      verb: changed === "" ? "insert" : "update",
      columns: written,
      rows: members.map((row) => written.map((column) => row[column] as string | boolean | null)),
      staging: `staged_${table.name}_${i}`,
    };
  });
}

/**
 * Rebuilds the tables as of a snapshot: only its tenant's rows, in order, without dead rows, and analyzed.
 * Foreign keys are not checked meanwhile.
 */
export async function resetTo(
  connection: Connection,
  snapshot: string,
  tables: readonly Table[],
): Promise<void> {
  await connection.query("SET session_replication_role = replica");
  for (const table of tables) {
    await connection.query(`DELETE FROM ${table.name}`);
    await connection.query(`VACUUM ${table.name}`);
    await connection.query(`INSERT INTO ${table.name} SELECT * FROM ${rowsOf(table, snapshot)}`);
    await connection.query(`VACUUM ANALYZE ${table.name}`);
  }
  await connection.query("SET session_replication_role = origin");
}

/** Throws unless the tables equal a snapshot, byte for byte. */
export async function expectSame(
  connection: Connection,
  snapshot: string,
  tables: readonly Table[],
): Promise<void> {
  for (const table of tables) {
    const [difference] = await connection.query<{ count: string }>(
      `SELECT count(*)::text AS count FROM ${table.name} a FULL JOIN ${snapshot}.${table.name} b ON ${matching(table)}
       WHERE a::text IS DISTINCT FROM b::text`,
    );
    if (difference?.count !== "0") throw new Error(`${difference?.count} rows of ${table.name} differ`);
  }
}
