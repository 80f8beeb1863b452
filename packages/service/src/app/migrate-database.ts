import { pino } from "pino";
import { checkOptions } from "../settings/options.ts";
import { type ServiceOptions, settings } from "../settings/settings.ts";
import { distribute, isDistributed } from "../storage/engines/citus/distribute.ts";
import { connectionTimeout, openPostgres } from "../storage/engines/postgres.ts";
import type { Migrated } from "../storage/migrate.ts";
import { refuseInUse } from "../storage/move/source.ts";
import { openDataFolder } from "../system/folders.ts";
import { openDatabase } from "./open-database.ts";
import { asking, withFolder } from "./start-errors.ts";

/**
 * Migrates the database that a service with these options would use; creates a missing embedded one. Safe to run from
 * several processes concurrently and while services run, unless tenants are to be distributed.
 *
 * @param distributed distribute its tables by tenant over the workers of its Citus cluster, while no service runs; the
 * result has their number
 * @throws Error for an option with a wrong value; CannotStart, FolderLocked, MoveRefused, NotACluster or UnknownSchema
 * with the problem and its remedy
 */
export async function migrateDatabase(
  options: ServiceOptions,
  { distributed = false } = {},
): Promise<Migrated & { distributed?: number }> {
  checkOptions(options);
  if (options.memory) throw new Error("a database in memory is never migrated: it is created at each start");
  const dataDir = options.dataDir ?? settings.dataDir.default;
  if (options.databaseUrl === undefined) await withFolder(dataDir, () => openDataFolder(dataDir));
  if (distributed && options.databaseUrl !== undefined) await refuseServices(options.databaseUrl);
  const opened = await openDatabase(options, dataDir, pino({ level: "silent" }));
  const { database, schema, applied } = opened;
  try {
    if (!distributed) return { schema, applied };
    return { schema, applied, distributed: opened.distributed + (await distribute(database)) };
  } finally {
    await database.close();
  }
}

/**
 * Refuses to distribute tenants for the first time while services are connected. One of the role `api` that is idle has
 * no connection.
 * @throws MoveRefused, or CannotStart for a database that cannot be used
 */
async function refuseServices(url: string): Promise<void> {
  const database = openPostgres(url, { connections: 1 });
  try {
    const is = await asking(url, connectionTimeout, () => isDistributed(database));
    if (!is) await refuseInUse(database, "The database", "a service that runs does not notice that");
  } finally {
    await database.close();
  }
}
