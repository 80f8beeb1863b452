import { join } from "node:path";
import type { Logger } from "pino";
import { type ServiceOptions, settings } from "../settings/settings.ts";
import { releaseAllClaims } from "../storage/bulk-tasks/release.ts";
import type { Database } from "../storage/database.ts";
import { openPglite, openPgliteInMemory } from "../storage/engines/pglite.ts";
import { connectionTimeout, openPostgres } from "../storage/engines/postgres.ts";
import { type Migrated, migrate } from "../storage/migrate.ts";
import { asking, embedded, requireSpace } from "./start-errors.ts";

/** A database with the schema of this version, and what was done to bring it there. */
export interface OpenedDatabase extends Migrated {
  database: Database;
}

/**
 * Opens the database of a service and migrates it.
 *
 * @param dataDir has the embedded database; without it and without a URL, the database is in memory
 * @throws CannotStart, FolderLocked or SchemaTooNew with the problem and its remedy
 */
export async function openDatabase(
  { databaseUrl: url, diskReserve: reserve = settings.diskReserve.default }: ServiceOptions,
  dataDir: string | undefined,
  logger: Logger,
): Promise<OpenedDatabase> {
  if (url !== undefined) return asking(url, connectionTimeout, () => migrated(openPostgres(url)));
  if (dataDir === undefined) return migrated(await openPgliteInMemory());
  const folder = join(dataDir, "database");
  requireSpace(dataDir, folder, reserve);
  return embedded(folder, async () => migrated(await openPglite(folder, { reserve, logger })));
}

/** Migrates the database to the schema of this version; closes it on failure. */
async function migrated(database: Database): Promise<OpenedDatabase> {
  try {
    const outcome = await migrate(database);
    // Only this process has the embedded database, so the owner of any claim in it has ended.
    if (database.engine === "pglite") await releaseAllClaims(database);
    return { ...outcome, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}
