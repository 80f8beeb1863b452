import pg from "pg";
import { inject } from "vitest";
import "./vitest/global-setup.ts";

export interface FreshDatabase {
  url: string;
  name: string;
  /** Ends the connections that are left and drops the database. */
  drop(): Promise<void>;
}

/** URL of the database `postgres` of the test run's PostgreSQL, as superuser. */
export async function postgresUrl(): Promise<string> {
  const response = await fetch(inject("postgresBroker"));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/**
 * Creates an empty database on the test run's PostgreSQL, for one test file or one test:
 * `const database = await freshDatabase(); afterAll(database.drop);`
 */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = await postgresUrl();
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
