import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../system/thrown.ts";
import type { Database, Queries } from "./database.ts";
import { endSessions } from "./engines/postgres-session.ts";
import { retry, whenTransient } from "./retry.ts";
import { isConflict, sqlStateOf, sqlStates } from "./sql-states.ts";
import { withoutTenantStatistics } from "./statistics.ts";

const ownFolder = join(import.meta.dirname, "migrations");

/** Key of the advisory lock that lets one process migrate at a time. */
const lockKey = 7_461_102;

/** The database is not one of this version: newer, from before the first release, or of another application. */
export class UnknownSchema extends Error {
  override name = "UnknownSchema";
}

export interface Migrated {
  schema: string;
  applied: number;
}

/**
 * Brings the database to the newest migration. Each file of migrations/ is applied once, in the order of its name,
 * together with its row in `migrations`. Safe to call from several processes concurrently. Throws `UnknownSchema`.
 *
 * @param only the files to apply, for a schema of an earlier version; default: all
 * @param folder the folder that has them; default: this version's
 */
export async function migrate(
  database: Database,
  only?: readonly string[],
  folder = ownFolder,
): Promise<Migrated> {
  await refuseOtherEncoding(database);
  await database.script(
    `SELECT pg_advisory_xact_lock(${lockKey});
     CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const files = (await migrationFiles(folder)).filter((name) => only?.includes(name) ?? true);
  await refuseUnknown(database, files);
  const missing = new Set(files).difference(new Set(await appliedMigrations(database)));
  let applied = 0;
  for (const name of missing) if (await apply(database, folder, name)) applied++;
  // A newer process may have migrated in between.
  await refuseUnknown(database, files);
  await withoutTenantStatistics(database);
  return { schema: schemaName(files), applied };
}

/** Throws `UnknownSchema` when the database has migrations this version does not know. Changes nothing. */
export async function checkSchema(queries: Queries): Promise<void> {
  if (await hasMigrations(queries)) await refuseUnknown(queries, await migrationFiles());
}

/** The applied files, ordered by name; none without a schema. Changes nothing. */
export async function appliedMigrations(queries: Queries): Promise<string[]> {
  if (!(await hasMigrations(queries))) return [];
  const rows = await queries.query<{ name: string }>("SELECT name FROM migrations");
  return rows.map(({ name }) => name).sort();
}

/** The number of the schema that these files make. */
export const schemaName = (files: readonly string[]): string => version(files.at(-1));

async function hasMigrations(queries: Queries): Promise<boolean> {
  const [table] = await queries.query<{ exists: boolean }>(
    "SELECT to_regclass('migrations') IS NOT NULL AS exists",
  );
  return table?.exists ?? false;
}

/** The files of this version, in the order of their names. */
export async function migrationFiles(folder = ownFolder): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}

/** The migrations after one, in order, whose SQL names one of some tables. */
export async function migrationsThatName(tables: readonly string[], after: string): Promise<string[]> {
  const named = new RegExp(`\\b(${tables.join("|")})\\b`);
  const later = (await migrationFiles()).filter((name) => name > after);
  const texts = await Promise.all(later.map((name) => readFile(join(ownFolder, name), "utf8")));
  return later.filter((_, i) => named.test(texts[i] ?? "")).map(version);
}

/** Other encodings lack characters that texts have, so operations would fail again at each attempt. */
async function refuseOtherEncoding(queries: Queries): Promise<void> {
  const [database] = await queries.query<{ encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
  );
  if (database?.encoding !== "UTF8")
    throw new UnknownSchema(
      `The database has the encoding ${database?.encoding}; Lading needs UTF8. Create one with CREATE DATABASE … ` +
        "ENCODING 'UTF8' TEMPLATE template0.",
    );
}

async function refuseUnknown(queries: Queries, files: readonly string[]): Promise<void> {
  const [unknown] = await queries.query<{ name: string }>(
    "SELECT name FROM migrations WHERE name <> ALL($1::text[]) ORDER BY name DESC LIMIT 1",
    [files],
  );
  if (unknown === undefined) return;
  if (!/^\d{6}\.sql$/.test(unknown.name)) throw ofAnotherApplication(`migration "${unknown.name}"`);
  // The first file is the baseline, which cannot migrate a database of an earlier commit.
  if (unknown.name < (files[0] ?? ""))
    throw new UnknownSchema(
      `The database has the schema ${version(unknown.name)}, from before the first release, which this version of ` +
        "Lading does not read; commit 3a9a6ff8 is the last that does: use it to dump its tenants, or name an empty " +
        "database.",
    );
  throw new UnknownSchema(
    `The database has the schema ${version(unknown.name)}, which this version of Lading does not know: its own is ` +
      `${version(files.at(-1))}. Start the newer version, or restore a backup from before the upgrade.`,
  );
}

const ofAnotherApplication = (found: string) =>
  new UnknownSchema(`The database has a ${found} of another application. Name an empty database.`);

const version = (file = "none") => file.replace(".sql", "");

/**
 * Applies a migration; returns false if it was already applied, or is by another process. Runs as one transaction, and
 * is retried after a deadlock: others may serve requests meanwhile, which lock tables in another order.
 */
async function apply(database: Database, folder: string, name: string): Promise<boolean> {
  const [applied] = await database.query("SELECT name FROM migrations WHERE name = $1", [name]);
  if (applied !== undefined) return false;
  const sql = await readFile(join(folder, name), "utf8");
  try {
    const script = `SELECT pg_advisory_xact_lock(${lockKey});
     INSERT INTO migrations (name) VALUES ('${name}');
     ${sql}`;
    const migrateOnce = async () => {
      if (database.engine === "postgresql") await database.query(endSessions);
      await database.cluster?.onWorkers(endSessions);
      await database.script(script);
    };
    await retry(migrateOnce, { afterFailure: whenTransient(isConflict) });
    return true;
  } catch (error) {
    const [byAnother] = await database.query("SELECT name FROM migrations WHERE name = $1", [name]);
    if (byAnother !== undefined) return false;
    if (sqlStateOf(error) !== sqlStates.duplicateTable) throw error;
    throw ofAnotherApplication(`table (${errorMessage(error)})`);
  }
}
