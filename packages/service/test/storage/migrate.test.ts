import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, openTestPostgres } from "../../../../test/support/engines.ts";
import type { Database } from "../../src/storage/database.ts";
import { checkSchema, migrate, SchemaTooNew } from "../../src/storage/migrate.ts";

describe.each(engines)("the schema on $name", ({ open }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  test("a schema newer than the service's is refused with both versions, and left as it is", async () => {
    await checkSchema(database);
    await database.execute("INSERT INTO migrations (name) VALUES ('999998.sql'), ('999999.sql')");
    const both =
      /has the schema 999999, which this version of Lading does not know: its own is 0000\d\d\. Start/;
    await expect(checkSchema(database)).rejects.toThrow(both);
    await expect(migrate(database)).rejects.toThrow(SchemaTooNew);
    await database.execute("DELETE FROM migrations WHERE name > '999'");
    await migrate(database);
  });
});

test("a migration that the server ends because of a deadlock with another process is applied again", async () => {
  const database = await openTestPostgres();
  try {
    for (const table of ["flows", "customers"])
      await database.script(`ALTER TABLE ${table} ADD FOREIGN KEY (tenant_id) REFERENCES tenants`);
    await database.execute("DELETE FROM migrations WHERE name = '000022.sql'");
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'customers'::regclass";
    const migrated = await database.transaction(async (transaction) => {
      // The server ends the one that looks for a deadlock first.
      await transaction.execute("SET LOCAL deadlock_timeout = '1min'");
      await transaction.query("SELECT FROM customers");
      const migrating = migrate(database).catch((error) => error);
      while ((await database.query(waiting)).length === 0) await setTimeout(10);
      await transaction.query("SELECT FROM flows");
      return { migrating };
    });
    expect(await migrated.migrating).toMatchObject({ applied: 1 });
  } finally {
    await database.close();
  }
});
