import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { databaseAddress } from "../../settings/database-url.ts";
import { type EmbeddedEngine, type S3Options, settings } from "../../settings/settings.ts";
import type { Database } from "../../storage/database.ts";
import { engineOf, openEmbedded } from "../../storage/engines/embedded.ts";
import { connectionTimeout, openPostgres } from "../../storage/engines/postgres.ts";
import { MoveRefused } from "../../storage/move/refused.ts";
import { ping } from "../../storage/session.ts";
import { openDataFolder } from "../../system/folders.ts";
import { asking, embedded, requireSpace } from "../start-errors.ts";

/** Where one end of a move keeps its data, as a service is told it. */
export interface Place {
  /** The data folder: files, secrets and, without a URL, the database. */
  readonly dataDir?: string | undefined;
  readonly databaseUrl?: string | undefined;
  /** The bucket that keeps its uploads, instead of the data folder. */
  readonly s3?: S3Options | undefined;
  /** The folder of PostgreSQL's programs for a native embedded database. */
  readonly postgresBin?: string | undefined;
}

export interface TargetPlace extends Place {
  /** The engine of a new embedded database; default: that of a service. */
  readonly engine?: EmbeddedEngine | undefined;
  /** The user that runs its native server when root moves. */
  readonly databaseUser?: string | undefined;
  /** True to copy the uploads in the source's bucket to the data folder; otherwise they stay there. */
  readonly uploadsToFolder?: boolean | undefined;
  /** Bytes that stay free on its disk. */
  readonly diskReserve?: number | undefined;
}

export interface End {
  readonly database: Database;
  /** The database for people: no password is in it. */
  readonly name: string;
}

const databaseFolder = (dataDir: string) => join(dataDir, "database");

/** Names the database of a URL: `PostgreSQL at db1:5432/lading`. */
function nameOfUrl(url: string): string {
  const { hosts, database } = databaseAddress(url);
  return `PostgreSQL at ${hosts.map(({ name }) => name).join(",")}/${database}`;
}

/**
 * Opens the source, and locks its folder. Nothing is made there, and no schema is migrated.
 * @throws MoveRefused, CannotStart, EmbeddedUnusable, or FolderLocked where a service uses it
 */
export async function openSource({ dataDir, databaseUrl, postgresBin: programs }: Place): Promise<End> {
  if (databaseUrl !== undefined) return openServer(databaseUrl, "--database-url or LADING_DATABASE_URL");
  if (dataDir === undefined) throw new MoveRefused("Name the source: --data-dir or --database-url.");
  const folder = databaseFolder(dataDir);
  const engine = engineOf(folder);
  if (engine === undefined)
    throw new MoveRefused(`There is no database in ${dataDir}: name the data folder of a service.`);
  // Otherwise files of the database would change their owner.
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
 * Opens the target, and makes what is missing: its folder, and an embedded database.
 * @throws MoveRefused, CannotStart, EmbeddedUnusable, FolderLocked
 */
export async function openTarget(place: TargetPlace): Promise<End> {
  const { dataDir, databaseUrl, postgresBin: programs } = place;
  const { engine, databaseUser: user, diskReserve: reserve = settings.diskReserve.default } = place;
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

/** The messages of a service that cannot start name its own options. */
export const withTargetOptions = (message: string) =>
  `The target cannot be used: ${message.replace(/ --(data-dir|engine)\b/g, " --to-$1")}`;

function openServer(url: string, option: string): Promise<End> {
  const work = async () => {
    const database = openPostgres(url);
    try {
      // The one connection that the move uses: others would look like those of a service.
      await database.copying(ping);
      return { database, name: nameOfUrl(url) };
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  return asking(url, connectionTimeout, work, option);
}

/** Closes an end after some work. If both fail, the failure of the work is the one to tell. */
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

/** True when both places name one folder, by whatever path. */
export function isSameFolder({ dataDir: one }: Place, { dataDir: other }: Place): boolean {
  if (one === undefined || other === undefined) return false;
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
