import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { pino } from "pino";
import { databaseAddress } from "../../settings/database-url.ts";
import { type EmbeddedEngine, type S3Options, settings } from "../../settings/settings.ts";
import type { Database } from "../../storage/database.ts";
import { openServerOrCluster } from "../../storage/engines/citus/cluster.ts";
import { engineOf, openEmbedded } from "../../storage/engines/embedded.ts";
import { connectionTimeout } from "../../storage/engines/postgres.ts";
import { MoveRefused } from "../../storage/move/refused.ts";
import { ping } from "../../storage/session.ts";
import { openDataFolder } from "../../system/folders.ts";
import { asking, embedded, requireSpace } from "../start-errors.ts";

/** Where one end of a move keeps its data, given as service options. */
export interface Location {
  /** The data folder: files, secrets and, without a URL, the database. */
  readonly dataDir?: string | undefined;
  readonly databaseUrl?: string | undefined;
  /** The bucket that keeps its uploads, instead of the data folder. */
  readonly s3?: S3Options | undefined;
  /** The folder of PostgreSQL's programs for a native embedded database. */
  readonly postgresBin?: string | undefined;
}

export interface TargetLocation extends Location {
  /** The engine of a new embedded database; default: that of a service. */
  readonly engine?: EmbeddedEngine | undefined;
  /** The user that runs its native server when root moves. */
  readonly databaseUser?: string | undefined;
  /** True to copy the uploads in the source's bucket to the data folder; by default they stay there. */
  readonly uploadsToFolder?: boolean | undefined;
  /** Bytes to keep free on its disk. */
  readonly diskReserve?: number | undefined;
}

export interface End {
  readonly database: Database;
  /** The database for display, without its password. */
  readonly name: string;
}

const databaseFolder = (dataDir: string) => join(dataDir, "database");

/** Names the database of a URL: `PostgreSQL at db1:5432/lading`. */
function nameOfUrl(url: string): string {
  const { hosts, database } = databaseAddress(url);
  return `PostgreSQL at ${hosts.map(({ name }) => name).join(",")}/${database}`;
}

/**
 * Opens the source and locks its folder. Creates nothing and doesn't migrate the schema.
 * @throws MoveRefused, CannotStart, EmbeddedUnusable, or FolderLocked if a service uses it
 */
export async function openSource({ dataDir, databaseUrl, postgresBin: programs }: Location): Promise<End> {
  if (databaseUrl !== undefined) return openServer(databaseUrl, "--database-url or LADING_DATABASE_URL");
  if (dataDir === undefined) throw new MoveRefused("Name the source: --data-dir or --database-url.");
  const folder = databaseFolder(dataDir);
  const engine = engineOf(folder);
  if (engine === undefined)
    throw new MoveRefused(`There is no database in ${dataDir}: name the data folder of a service.`);
  // Otherwise files of the database would change owner.
  const owner = statSync(engine === "native" ? dataDir : folder).uid;
  if (owner !== (process.geteuid?.() ?? owner))
    throw new MoveRefused(
      `The data folder ${dataDir} belongs to user ${owner}: run the command as that user.`,
    );
  return embedded(folder, async () => {
    const { database, name } = await openEmbedded(folder, { programs });
    return { database, name: `${name.replace(/, because .*/, "")} in ${dataDir}` };
  });
}

/**
 * Opens the target, creating its folder and embedded database if missing.
 * @throws MoveRefused, CannotStart, EmbeddedUnusable, FolderLocked
 */
export async function openTarget(location: TargetLocation): Promise<End> {
  const { dataDir, databaseUrl, postgresBin: programs } = location;
  const { engine, databaseUser: user, diskReserve: reserve = settings.diskReserve.default } = location;
  if (databaseUrl !== undefined)
    return openServer(databaseUrl, "--to-database-url or LADING_TO_DATABASE_URL");
  if (dataDir === undefined) throw new MoveRefused("Name the target: --to-data-dir or --to-database-url.");
  const folder = databaseFolder(dataDir);
  const opened = embedded(folder, async () => {
    openDataFolder(dataDir);
    requireSpace(dataDir, folder, reserve);
    const guard = { reserve, logger: pino({ level: "silent" }) };
    const { database, name } = await openEmbedded(folder, { engine, user, programs, guard });
    return { database, name: `${name} in ${dataDir}` };
  });
  return opened.catch((error: Error) => {
    throw new MoveRefused(withTargetOptions(error.message), { cause: error });
  });
}

/** Translates a start-up message, which names a service's own options, into the target's options. */
export const withTargetOptions = (message: string) =>
  `The target cannot be used: ${message.replace(/ --(data-dir|engine)\b/g, " --to-$1")}`;

function openServer(url: string, option: string): Promise<End> {
  const work = async () => {
    const database = await openServerOrCluster(url);
    try {
      // The move's only connection: further ones would look like a service's.
      await database.copying(ping);
      return { database, name: nameOfUrl(url) };
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  return asking(url, connectionTimeout, work, option);
}

/** Closes an end after some work. If both fail, throws the work's failure. */
export async function whileOpen<Result>(end: End, work: (end: End) => Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await work(end);
  } catch (error) {
    await end.database.close().catch(() => {});
    throw error;
  }
  await end.database.close();
  return result;
}

/** True when the second names the folder of the first, or one in it, by whatever path. */
export function isWithin({ dataDir: folder }: Location, { dataDir: other }: Location): boolean {
  if (folder === undefined || other === undefined) return false;
  const way = relative(existingPath(folder), existingPath(other));
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** True when both name the same folder, by whatever path. */
export const isSameFolder = (one: Location, other: Location): boolean =>
  isWithin(one, other) && isWithin(other, one);

/** The path of a folder without symbolic links, also of one that does not exist yet. */
function existingPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return join(existingPath(dirname(resolve(folder))), basename(resolve(folder)));
  }
}
