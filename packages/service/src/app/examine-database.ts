import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceOptions } from "../settings/settings.ts";
import type { Database } from "../storage/database.ts";
import { engineOf, openEmbedded } from "../storage/engines/embedded.ts";
import { FolderLocked } from "../storage/engines/folder-lock.ts";
import { namedBinaries, versionOf } from "../storage/engines/native/binaries.ts";
import { clusterFolder } from "../storage/engines/native/cluster.ts";
import { newerMinor } from "../storage/engines/native/postgres-versions.ts";
import { serverUser } from "../storage/engines/native/server-user.ts";
import { checkPostgres, connectionTimeout, openPostgres } from "../storage/engines/postgres.ts";
import { checkSchema } from "../storage/migrate.ts";
import { mayMakeTemporaryTables, serverVersion } from "../storage/session.ts";
import { errorMessage } from "../system/thrown.ts";
import { asking, embedded, ignoredSettings } from "./start-errors.ts";

/** The result of examining a database. Without `detail` it is usable; otherwise `detail` says why it isn't. */
export interface DatabaseFinding {
  fine: boolean;
  detail: string;
  /** The version of PostgreSQL, where known; such as `18.4`. */
  version?: string | undefined;
  /** The newest known release of the same major version, if it is newer. */
  newer?: string | undefined;
  /** Settings of connections that are not in effect, and what to do. */
  ignored?: string | undefined;
}

/** The options that locate the database. */
type ExaminedOptions = Pick<ServiceOptions, "databaseUrl" | "engine" | "databaseUser" | "postgresBin"> & {
  dataDir: string;
};

/**
 * Examines the database a service would use, without changing its content. If there is none yet, examines the
 * PostgreSQL in `postgresBin` that would create it; returns undefined without one. Opens an embedded database only as
 * its owner, so that no file changes owner, and only while no service uses it.
 *
 * @param options has a PostgreSQL connection string; without it, the embedded database of `dataDir` is examined
 */
export async function examineDatabase(options: ExaminedOptions): Promise<DatabaseFinding | undefined> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return examineEmbedded(options);
  let version: string | undefined;
  let ignored: string | undefined;
  const found = await finding(async () => {
    await asking(databaseUrl, connectionTimeout, async () => {
      ignored = ignoredSettings(databaseUrl, await checkPostgres(databaseUrl));
      version = await checked(openPostgres(databaseUrl));
    });
    return undefined;
  });
  return { ...withVersion(found, version), ignored };
}

const withVersion = (finding: DatabaseFinding, version: string | undefined): DatabaseFinding => ({
  ...finding,
  version,
  newer: version && newerMinor(version),
});

const fits = "this version of Lading can use its schema";

async function examineEmbedded(options: ExaminedOptions): Promise<DatabaseFinding | undefined> {
  const { dataDir, postgresBin: programs } = options;
  const folder = join(dataDir, "database");
  let engine: ReturnType<typeof engineOf>;
  try {
    engine = engineOf(folder);
  } catch (error) {
    return { fine: false, detail: errorMessage(error) };
  }
  if (engine === undefined) return examinePrograms(folder, options);
  // A native database's folder belongs to the user its server runs as.
  const owner = statSync(engine === "native" ? dataDir : folder).uid;
  if (owner !== process.geteuid?.())
    return { fine: true, detail: `${folder} belongs to another user and is not examined` };
  const found = await finding(() =>
    embedded(folder, async () => {
      const { database, name } = await openEmbedded(folder, { programs });
      await checked(database);
      return name;
    }),
  );
  return engine === "native" ? withVersion(found, await versionOf(programs)) : found;
}

/** Examines the PostgreSQL programs that would create the database of a folder. */
async function examinePrograms(
  folder: string,
  { engine, databaseUser, postgresBin: programs }: ExaminedOptions,
): Promise<DatabaseFinding | undefined> {
  if (programs === undefined || engine === "pglite") return undefined;
  let version: string | undefined;
  const found = await finding(async () => {
    const user = serverUser(clusterFolder(folder), databaseUser);
    ({ version } = await namedBinaries(tmpdir(), user, programs));
    return undefined;
  });
  return withVersion(
    found.fine ? { fine: true, detail: "none yet; `lading serve` makes it" } : found,
    version,
  );
}

async function finding(examine: () => Promise<string | undefined>): Promise<DatabaseFinding> {
  try {
    const name = await examine();
    return { fine: true, detail: name === undefined ? fits : `${name}: ${fits}` };
  } catch (error) {
    // The error's advice is for a service that is starting.
    if (error instanceof FolderLocked)
      return { fine: true, detail: "in use by a service, which checked the schema when it started" };
    return { fine: false, detail: errorMessage(error) };
  }
}

/** Checks a database and closes it. Returns the server version. */
async function checked(database: Database): Promise<string> {
  try {
    await checkSchema(database);
    if (!(await mayMakeTemporaryTables(database)))
      throw new Error(
        "its user may not create temporary tables, which plans need: grant it TEMP on the database",
      );
    return await serverVersion(database);
  } finally {
    await database.close();
  }
}
