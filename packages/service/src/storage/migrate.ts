import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { withoutTenantStatistics } from "./statistics.ts";

const folder = join(import.meta.dirname, "migrations");

/** Key of the advisory lock that lets one process migrate at a time. */
const lockKey = 7_461_102;

/**
 * Brings the database to the newest migration. Each file of migrations/ is applied once, in the order of its name,
 * together with its row in `migrations`. Safe to call by several processes at once.
 */
export async function migrate(database: Database): Promise<void> {
  await database.script(
    `SELECT pg_advisory_xact_lock(${lockKey});
     CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  for (const name of files) await apply(database, name);
  await withoutTenantStatistics(database);
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
