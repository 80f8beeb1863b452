import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../../../../test/support/database.ts";
import { engines, openTestPostgres } from "../../../../test/support/engines.ts";
import { clusterUrl } from "../../../../test/support/postgres/create-database.ts";
import { describeSchema } from "../../scripts/describe-schema.ts";
import { migrateDatabase } from "../../src/index.ts";
import type { Database } from "../../src/storage/database.ts";
import { openPostgres } from "../../src/storage/engines/postgres.ts";
import { checkSchema, migrate, UnknownSchema } from "../../src/storage/migrate.ts";
import { initialLimits } from "../../src/storage/tenants/settings.ts";
import { createTenant } from "../../src/tenants/create.ts";

/** Makes a folder of the migrations of this version and one more; returns what migrates a database by it. */
async function withMigration(sql: string) {
  const folder = await mkdtemp(join(tmpdir(), "lading-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(import.meta.dirname, "../../src/storage/migrations"), folder, { recursive: true });
  await writeFile(join(folder, "999999.sql"), sql);
  return (database: Database) => migrate(database, undefined, folder);
}

describe.each(engines)("the schema on $name", ({ open }) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());

  const add = (...names: string[]) =>
    database.execute("INSERT INTO migrations (name) SELECT unnest($1::text[])", [names]);

  test("a schema newer than the service's is refused with both versions, and left unchanged", async () => {
    await checkSchema(database);
    await add("999998.sql", "999999.sql");
    const both =
      /has the schema 999999, which this version of Lading does not know: its own is 00\d{4}\. Start/;
    const before = await describeSchema(database);
    await expect(checkSchema(database)).rejects.toThrow(both);
    await expect(migrate(database)).rejects.toThrow(UnknownSchema);
    expect(await describeSchema(database)).toBe(before);
    await database.execute("DELETE FROM migrations WHERE name > '999'");
    await migrate(database);
  });

  test("a schema from before the baseline is refused with the last commit that reads it, and left unchanged", async () => {
    await database.execute("DELETE FROM migrations");
    await add("000001.sql", "000036.sql");
    const before = await describeSchema(database);
    const last = /^The database has the schema 000036, from before .* commit 3a9a6ff8 is the last that does/;
    await expect(checkSchema(database)).rejects.toThrow(last);
    await expect(migrate(database)).rejects.toThrow(UnknownSchema);
    expect(await describeSchema(database)).toBe(before);
  });

  test("a migration is applied once to a database with rows, which keeps them", async () => {
    await createTenant(database, { identifier: "acme" });
    const items = () => database.query("SELECT tenant_id, id, type, created_at FROM items");
    const before = await items();
    expect(before).toHaveLength(1);
    const migrateToo = await withMigration(`
      ALTER TABLE items ADD COLUMN note text NOT NULL DEFAULT 'none';
      CREATE TABLE notes (tenant_id text NOT NULL, id text NOT NULL, PRIMARY KEY (tenant_id, id));
      INSERT INTO notes SELECT tenant_id, id FROM items`);
    expect(await migrateToo(database)).toEqual({ schema: "999999", applied: 1 });
    expect(await migrateToo(database)).toEqual({ schema: "999999", applied: 0 });
    expect(await items()).toEqual(before);
    expect(await database.query("SELECT i.note FROM items i JOIN notes USING (tenant_id, id)")).toEqual([
      { note: "none" },
    ]);
    expect(await describeSchema(database)).toMatch(/^column notes 1 tenant_id .*statistics 0/m);
  });

  test("tasks of the schema 000100 get their creators, causes, views, hours and repaired operations", async () => {
    await database.script(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`);
    await migrate(database, ["000100.sql"]);
    const tenant = { id: "shop" };
    await database.execute(
      "INSERT INTO tenants (id, identifier, name, root_item_id, limits) VALUES ('shop', 'acme', 'Acme', 'root', $1)",
      [JSON.stringify(initialLimits)],
    );
    const task = (id: string, kind: string, ofTask: string | null, more = "repaired = 0") =>
      database.script(
        `INSERT INTO bulk_tasks (tenant_id, id, type, kind, of_task, status, key, etag, start_order, validated_at, total,
           include, to_execute)
         VALUES ('${tenant.id}', '${id}', 'massOperation', '${kind}', ${ofTask ? `'${ofTask}'` : "NULL"}, 'running', 'k', 'e',
           1, now(), 3, ${kind === "retry" ? "'{FAILED}', 2" : "NULL, NULL"});
         UPDATE bulk_tasks SET status = 'complete', ended_at = now(), progressed_at = now(), cursor_index = 3, ${more}
           WHERE id = '${id}'`,
      );
    await task("a", "run", null, "succeeded = 1, created = 1, failed = 2, repaired = 2");
    await task(
      "b",
      "retry",
      "a",
      "skipped = 1, succeeded = 2, created = 2, undone = 'part', undone_by = 'x'",
    );
    await task("c", "plan", "a", "succeeded = 3, created = 3, last_undo = NULL");
    await database.script("UPDATE bulk_tasks SET last_undo = 'd' WHERE id = 'a'");
    await database.script(
      `INSERT INTO operation_log_failures
         VALUES ('${tenant.id}', 'a', 1, 'failure', 424, 'FailedDependency', 'i', '"…" is the result of operation …, which failed.'),
           ('${tenant.id}', 'a', 2, 'failure', 404, 'X', 'i', 'cause 2');
       INSERT INTO audit_trail (tenant_id, id, tenant_identifier, actor, access_token_id, access_token_name, action, subject_id)
         VALUES ('${tenant.id}', '1', 'acme', 'accessToken', 't', 'ann', 'bulkTask.created', 'a')`,
    );
    expect(await migrate(database)).toMatchObject({ applied: expect.any(Number) });
    const select = `SELECT id, created_by AS "createdBy", top_failure AS "topFailure", view, repaired FROM bulk_tasks ORDER BY id`;
    const operator = { createdBy: "operator", topFailure: null, view: null, repaired: 0 };
    expect(await database.query(select)).toEqual([
      {
        id: "a",
        createdBy: "ann",
        topFailure: { cause: "cause 2", count: 1 },
        view: "openFailures",
        repaired: 0,
      },
      { id: "b", ...operator },
      { id: "c", ...operator },
    ]);
    expect(await database.query("SELECT executed, failed FROM operation_hours")).toEqual([
      { executed: 5, failed: 2 },
    ]);
  });

  test("a failed migration leaves the database unchanged", async () => {
    await createTenant(database, { identifier: "acme" });
    const settings = () => database.query("SELECT * FROM settings ORDER BY list, identifier");
    const before = [await describeSchema(database), await settings()];
    const migrateToo = await withMigration(
      "ALTER TABLE items ADD COLUMN note text; DELETE FROM settings; INSERT INTO notes VALUES (1)",
    );
    await expect(migrateToo(database)).rejects.toThrow(/"notes" does not exist/);
    expect([await describeSchema(database), await settings()]).toEqual(before);
    expect(await migrate(database)).toMatchObject({ applied: 0 });
  });
});

describe("a database that is not for this service", () => {
  async function refusalOf(prepare: string, options = "") {
    const fresh = await freshDatabase(options);
    const database = openPostgres(fresh.url, { connections: 1 });
    onTestFinished(async () => {
      await database.close();
      await fresh.drop();
    });
    await database.script(prepare);
    const error = await migrate(database).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UnknownSchema);
    return (error as Error).message;
  }

  test("is refused with its encoding, which lacks characters", async () => {
    const latin = "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'";
    expect(await refusalOf("SELECT 1", latin)).toMatch(/has the encoding LATIN1; Lading needs UTF8/);
  });

  test.each([
    ["table", "CREATE TABLE items (id int)", /has a table .*"items" already exists.* of another application/],
    [
      "migration",
      "CREATE TABLE migrations (name text PRIMARY KEY); INSERT INTO migrations VALUES ('rails')",
      /has a migration "rails" of another application. Name an empty database/,
    ],
  ])("is refused with the %s of another application", async (_what, sql, message) => {
    expect(await refusalOf(sql)).toMatch(message);
  });
});

test.skipIf(clusterUrl !== undefined)(
  "a server without Citus is not distributed, and its tenants stay",
  async () => {
    const fresh = await freshDatabase();
    onTestFinished(() => fresh.drop());
    const databaseUrl = fresh.url;
    await expect(migrateDatabase({ databaseUrl }, { distributed: true })).rejects.toThrow(
      "The database has no extension citus: create it on the coordinator and on each worker.",
    );
    expect(await migrateDatabase({ databaseUrl })).toMatchObject({ applied: 0 });
  },
);

test("a migration that the server ends because of a deadlock with another process is applied again", async () => {
  const database = await openTestPostgres();
  try {
    const migrateToo = await withMigration(
      "ALTER TABLE flows ADD COLUMN note text; ALTER TABLE customers ADD COLUMN note text",
    );
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'customers'::regclass";
    const migrated = await database.transaction(async (transaction) => {
      // The server ends the transaction that checks for deadlocks first.
      await transaction.execute("SET LOCAL deadlock_timeout = '1min'");
      await transaction.query("SELECT FROM customers");
      const migrating = migrateToo(database).catch((error) => error);
      while ((await database.query(waiting)).length === 0) await setTimeout(10);
      await transaction.query("SELECT FROM flows");
      return { migrating };
    });
    expect(await migrated.migrating).toMatchObject({ applied: 1 });
  } finally {
    await database.close();
  }
});
