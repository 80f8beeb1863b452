import type { Queries } from "../database.ts";
import { type Collection, columnName, type Table } from "../unit-of-work/collection.ts";

/** Limits of a page: rows, and bytes of their JSON and texts, which a single row may exceed. */
export interface PageLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** The bytes of the JSON and the texts in a row `t`, as SQL: its other columns are short. */
const bytesOfRow = ({ columns }: Table): string =>
  [
    "0",
    ...Object.entries(columns)
      .filter(([, type]) => type === "json" || type === "jsonb" || type === "text")
      .map(([property]) => `coalesce(octet_length(t.${columnName(property)}::text), 0)`),
  ].join(" + ");

/**
 * Reads a tenant's first rows, or those after a row, ordered by columns that are unique together. None only if there
 * are no more.
 */
export async function rowsAfter<Row extends object>(
  queries: Queries,
  tenantId: string,
  collection: Collection<Row>,
  order: readonly (keyof Row & string)[],
  after: Row | undefined,
  { rows, bytes }: PageLimits,
): Promise<Row[]> {
  const { table, sql } = collection;
  const columns = order.map((property) => `t.${columnName(property)}`);
  const values = after === undefined ? [] : order.map((property) => after[property] as string);
  const condition =
    after === undefined
      ? ""
      : `AND (${columns.join(", ")}) > (${values.map((_, i) => `$${i + 4}`).join(", ")})`;
  return queries.query<Row>(
    `SELECT ${sql.columnList} FROM (
       SELECT t.*, sum(${bytesOfRow(collection)}) OVER (
         ORDER BY ${columns.join(", ")} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
       FROM (
         SELECT t.* FROM ${table} t WHERE t.tenant_id = $1 ${condition} ORDER BY ${columns.join(", ")} LIMIT $2) t) t
     WHERE coalesce(bytes_before, 0) < $3 ORDER BY ${columns.join(", ")}`,
    [tenantId, rows, bytes, ...values],
  );
}

/** Reads the total bytes of rows per value of a column. */
export async function bytesWith<Row extends object>(
  queries: Queries,
  tenantId: string,
  collection: Collection<Row>,
  column: keyof Row & string,
  values: readonly string[],
): Promise<{ value: string; bytes: number }[]> {
  return queries.query<{ value: string; bytes: number }>(
    `SELECT t.${columnName(column)} AS value, sum(${bytesOfRow(collection)}) AS bytes FROM ${collection.table} t
     WHERE t.tenant_id = $1 AND t.${columnName(column)} = ANY($2::text[]) GROUP BY 1`,
    [tenantId, values],
  );
}

/**
 * Reads a tenant's rows with one of some values in a column, grouped by it, ordered by key. They are sorted here: asked
 * for the order, the planner reads the key's whole index.
 */
export async function rowsWith<Row extends object, Column extends keyof Row & string>(
  queries: Queries,
  tenantId: string,
  { table, key, sql }: Collection<Row>,
  column: Column,
  values: readonly string[],
): Promise<Map<Row[Column], Row[]>> {
  if (values.length === 0) return new Map();
  const rows = await queries.query<Row>(
    `SELECT ${sql.columnList} FROM ${table} t WHERE t.tenant_id = $1 AND t.${columnName(column)} = ANY($2::text[])`,
    [tenantId, values],
  );
  return Map.groupBy(rows.sort(byKey(key)), (row) => row[column]);
}

/** Compares rows by the columns of their key, none of which is null. */
const byKey =
  <Row extends object>(key: readonly (keyof Row & string)[]) =>
  (a: Row, b: Row): number => {
    const differing = key.find((property) => a[property] !== b[property]);
    return differing === undefined ? 0 : a[differing] < b[differing] ? -1 : 1;
  };
