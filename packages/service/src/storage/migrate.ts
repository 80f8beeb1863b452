import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { withoutTenantStatistics } from "./statistics.ts";

const folder = join(import.meta.dirname, "migrations");

/** Key of the advisory lock that lets one process migrate at a time. */
const lockKey = 7_461_102;

/** The database's schema is newer than this version of the service knows; the message names both. */
export class SchemaTooNew extends Error {
  override name = "SchemaTooNew";
}

/**
 * Brings the database to the newest migration. Each file of migrations/ is applied once, in the order of its name,
 * together with its row in `migrations`. Safe to call by several processes at once. Throws `SchemaTooNew`.
 */
export async function migrate(database: Database): Promise<void> {
  await database.script(
    `SELECT pg_advisory_xact_lock(${lockKey});
     CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const files = await migrationFiles();
  await refuseUnknown(database, files);
  const applied = await database.query<{ name: string }>("SELECT name FROM migrations");
  const missing = new Set(files).difference(new Set(applied.map(({ name }) => name)));
  for (const name of missing) await apply(database, name);
  // A newer process may have migrated in between.
  await refuseUnknown(database, files);
  await withoutTenantStatistics(database);
}

/** Throws `SchemaTooNew` when the database has migrations that this version does not know. Changes nothing. */
export async function checkSchema(database: Database): Promise<void> {
  const [table] = await database.query<{ exists: boolean }>(
    "SELECT to_regclass('migrations') IS NOT NULL AS exists",
  );
  if (table?.exists) await refuseUnknown(database, await migrationFiles());
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}

async function refuseUnknown(database: Database, files: readonly string[]): Promise<void> {
  const [unknown] = await database.query<{ name: string }>(
    "SELECT name FROM migrations WHERE name <> ALL($1::text[]) ORDER BY name DESC LIMIT 1",
    [files],
  );
  if (unknown === undefined) return;
  const version = (name = "none") => name.replace(".sql", "");
  throw new SchemaTooNew(
    `The database has the schema ${version(unknown.name)}, which this version of Lading does not know: its own is ` +
      `${version(files.at(-1))}. Start the newer version, or restore a backup from before the upgrade.`,
  );
}

async function apply(database: Database, name: string): Promise<void> {
  const [applied] = await database.query("SELECT name FROM migrations WHERE name = $1", [name]);
  if (applied !== undefined) return;
  const sql = await readFile(join(folder, name), "utf8");
  await database
    .script(
      `SELECT pg_advisory_xact_lock(${lockKey});
     INSERT INTO migrations (name) VALUES ('${name}');
     ${sql}`,
    )
    .catch(async (error) => {
      const [byAnother] = await database.query("SELECT name FROM migrations WHERE name = $1", [name]);
      if (byAnother === undefined) throw error;
    });
}
