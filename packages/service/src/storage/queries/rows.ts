import type { Queries } from "../database.ts";
import { type Collection, columnName } from "../unit-of-work/collection.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/** The tenant's rows with one of these values in a text column, by that value; of several rows, the last. */
export async function rowsByKey<Row extends object, Column extends keyof Row & string>(
  queries: Queries,
  tenantId: string,
  collection: Collection<Row>,
  property: Column,
  values: readonly string[],
): Promise<Map<string, Row>> {
  const rows = await queries.query<Row & Record<Column, string>>(
    `SELECT ${collection.sql.columnList} FROM ${collection.table} t
     WHERE t.tenant_id = $1 AND t.${columnName(property)} = ANY($2::text[])`,
    [tenantId, values],
  );
  return new Map(rows.map((row) => [row[property], row]));
}

/** The number of the tenant's rows with these values in text columns, including rows written by the batch. */
export async function countRows<Row extends object>(
  unit: UnitOfWork,
  { table }: Collection<Row>,
  values: Partial<Row> & Readonly<Record<string, string>>,
): Promise<number> {
  const conditions = Object.keys(values).map((property, i) => `AND ${columnName(property)} = $${i + 2}`);
  const [row] = await unit.ask<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} WHERE tenant_id = $1 ${conditions.join(" ")}`,
    Object.values(values),
  );
  return row?.count ?? 0;
}
