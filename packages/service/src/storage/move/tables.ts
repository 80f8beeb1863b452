import type { CopiedTable, Queries } from "../database.ts";
import { references, referringFirst } from "../tenants/references.ts";

export interface TenantTable extends CopiedTable {
  /** Its name as it is stored, without quotes. */
  readonly name: string;
  /** Every column with its type, in the order of their names. */
  readonly definition: string;
}

/**
 * Lists the tables with rows of tenants, and `tenants` itself, from the catalog: each after those it references, so
 * that rows can be added table by table.
 */
export async function tenantTables(queries: Queries): Promise<TenantTable[]> {
  const tables = await queries.query<TenantTable>(
    `SELECT c.relname AS name, quote_ident(c.relname) AS table,
       json_agg(quote_ident(a.attname) ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns,
       string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attname COLLATE "C")
         AS definition
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
     GROUP BY c.relname
     HAVING c.relname = 'tenants' OR bool_or(a.attname = 'tenant_id')
     ORDER BY c.relname <> 'tenants', c.relname`,
  );
  const byName = new Map(tables.map((table) => [table.name, table]));
  const order = referringFirst([...byName.keys()].reverse(), await references(queries)).reverse();
  return order.map((name) => byName.get(name)!);
}

/** A table's row count and checksum: the same on every engine. */
export interface RowSum {
  readonly rows: number;
  /** The sum of a part of each row's SHA-256: independent of the order of rows. */
  readonly checksum: string;
}

export async function sumOf(
  queries: Queries,
  { table, columns, condition = "true" }: CopiedTable,
): Promise<RowSum> {
  const text = `convert_to(ROW(${columns.join(", ")})::text, 'UTF8')`;
  const hash = `('x' || left(encode(sha256(${text}), 'hex'), 16))::bit(64)::bigint`;
  const [row] = await queries.query<RowSum>(
    `SELECT count(*) AS rows, coalesce(sum(${hash}), 0)::text AS checksum FROM ${table} WHERE ${condition}`,
  );
  if (row === undefined) throw new Error("a sum over rows has no row");
  return row;
}

export async function withRows<Table extends CopiedTable>(
  queries: Queries,
  tables: readonly Table[],
): Promise<Table[]> {
  const found: Table[] = [];
  for (const table of tables) {
    const rows = await queries.query(`SELECT FROM ${table.table} WHERE ${table.condition ?? "true"} LIMIT 1`);
    if (rows.length > 0) found.push(table);
  }
  return found;
}
