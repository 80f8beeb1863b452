import type { Queries } from "../../packages/service/src/storage/database.ts";
import { askBroker } from "./broker.ts";
import { createDatabase, type FreshDatabase } from "./postgres/create-database.ts";

export type { FreshDatabase };

/** URL of the database `postgres` of the test run's PostgreSQL, as superuser. */
const postgresUrl = (): Promise<string> => askBroker("/");

/**
 * Creates an empty database on the test run's PostgreSQL, for one test file or one test:
 * `const database = await freshDatabase(); afterAll(database.drop);` `options` are those of CREATE DATABASE.
 */
export async function freshDatabase(options?: string): Promise<FreshDatabase> {
  return createDatabase(await postgresUrl(), "test", "template0", options);
}

/** Creates a database with the tables of the newest migration and nothing in them. */
export async function migratedDatabase(): Promise<FreshDatabase> {
  return createDatabase(await postgresUrl(), "test", await askBroker("/migrated"));
}

/** Creates such a database that lasts until the test run ends; its URL. */
export const lastingDatabase = (): Promise<string> => askBroker("/lasting");

/** Sets times of rows back by some hours. A cluster refuses the difference of a column and an interval in an update. */
export async function setBack(
  database: Queries,
  { table, key, columns, hours }: { table: string; key: string; columns: readonly string[]; hours: number },
  tenantId?: string,
): Promise<void> {
  const earlier = columns.map((column) => `(${column} - interval '${hours} hours')::text`);
  const rows = await database.query<{ of: string[]; to: (string | null)[] }>(
    `SELECT ARRAY[tenant_id, ${key}::text] AS of, ARRAY[${earlier}] AS to FROM ${table}
     WHERE $1::text IS NULL OR tenant_id = $1 ORDER BY ${key}`,
    [tenantId ?? null],
  );
  const type = key === columns[0] ? "timestamptz" : "text";
  const set = columns.map((column, i) => `${column} = $${i + 3}::timestamptz`);
  for (const { of, to } of rows)
    await database.execute(`UPDATE ${table} SET ${set} WHERE tenant_id = $1 AND ${key} = $2::${type}`, [
      ...of,
      ...to,
    ]);
}
