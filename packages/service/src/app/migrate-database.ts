import { pino } from "pino";
import { checkOptions } from "../settings/options.ts";
import { type ServiceOptions, settings } from "../settings/settings.ts";
import type { Migrated } from "../storage/migrate.ts";
import { openDataFolder } from "../system/folders.ts";
import { openDatabase } from "./open-database.ts";
import { withFolder } from "./start-errors.ts";

/**
 * Migrates the database that a service with these options would use; creates a missing embedded one. Safe to run from
 * several processes concurrently and while services run.
 *
 * @throws Error for an option with a wrong value; CannotStart, FolderLocked or UnknownSchema with the problem and its
 * remedy
 */
export async function migrateDatabase(options: ServiceOptions): Promise<Migrated> {
  checkOptions(options);
  if (options.memory) throw new Error("a database in memory is never migrated: it is created at each start");
  const dataDir = options.dataDir ?? settings.dataDir.default;
  if (options.databaseUrl === undefined) await withFolder(dataDir, () => openDataFolder(dataDir));
  const { database, schema, applied } = await openDatabase(options, dataDir, pino({ level: "silent" }));
  await database.close();
  return { schema, applied };
}
