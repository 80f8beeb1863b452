import { join } from "node:path";
import type { Logger } from "pino";
import { type Engine, type ServiceOptions, settings } from "../settings/settings.ts";
import { releaseAllClaims } from "../storage/bulk-tasks/claims/claimed-task.ts";
import type { Database } from "../storage/database.ts";
import { openServerOrCluster } from "../storage/engines/citus/cluster.ts";
import { distribute } from "../storage/engines/citus/distribute.ts";
import { engineOf, openEmbedded } from "../storage/engines/embedded.ts";
import { openPgliteInMemory } from "../storage/engines/pglite.ts";
import { checkPostgres, connectionTimeout } from "../storage/engines/postgres.ts";
import { type Migrated, migrate } from "../storage/migrate.ts";
import { asking, embedded, ignoredSettings, requireSpace } from "./start-errors.ts";

/** A database with this version's schema, and what migration did. */
export interface OpenedDatabase extends Migrated {
  database: Database;
  engine: Engine;
  /** The engine, for display. */
  name: string;
  /** The number of tables that were distributed over a cluster. */
  distributed: number;
}

/**
 * Opens the database of a service and migrates it.
 *
 * @param dataDir has the embedded database; without it and without a URL, the database is in memory
 * @param onNewDatabase is called with the folder before an embedded database is created, which takes seconds
 * @throws CannotStart, EmbeddedUnusable, FolderLocked or UnknownSchema with the problem and its remedy
 */
export async function openDatabase(
  options: ServiceOptions,
  dataDir: string | undefined,
  logger: Logger,
  onNewDatabase: (folder: string) => void = () => {},
): Promise<OpenedDatabase> {
  const { databaseUrl: url, diskReserve: reserve = settings.diskReserve.default, engine } = options;
  if (url !== undefined) {
    const opened = await asking(url, connectionTimeout, async () => {
      const ignored = ignoredSettings(url, await checkPostgres(url));
      if (ignored !== undefined) logger.warn(ignored);
      return migrated(await openServerOrCluster(url));
    });
    return { ...opened, engine: "postgresql", name: "PostgreSQL" };
  }
  if (dataDir === undefined)
    return {
      ...(await migratedAlone(await openPgliteInMemory())),
      engine: "pglite",
      name: "PGlite in memory",
    };
  const folder = join(dataDir, "database");
  return embedded(folder, async () => {
    requireSpace(dataDir, folder, reserve);
    if (engineOf(folder) === undefined) onNewDatabase(folder);
    const guard = { reserve, logger };
    const { databaseUser: user, postgresBin: programs } = options;
    const opened = await openEmbedded(folder, { engine, user, programs, guard });
    return { ...opened, ...(await migratedAlone(opened.database)) };
  });
}

type MigratedDatabase = Migrated & { database: Database; distributed: number };

/** Migrates a database that only this process uses, so all existing claims are stale. */
const migratedAlone = (database: Database) => migrated(database, () => releaseAllClaims(database));

/** Migrates the database to this version's schema; closes it on failure. */
async function migrated(database: Database, afterwards = async () => {}): Promise<MigratedDatabase> {
  try {
    const outcome = await migrate(database);
    // A migration may have created tables, also one whose process ended before it distributed them.
    const distributed = database.cluster ? await distribute(database) : 0;
    await afterwards();
    return { ...outcome, database, distributed };
  } catch (error) {
    await database.close();
    throw error;
  }
}
