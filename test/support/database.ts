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
