import { join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { ownFolder } from "../../system/folders.ts";
import {
  type Database,
  type DatabaseSession,
  type Parameter,
  type Queries,
  typeParsers,
} from "../database.ts";
import { type SentParameter, sentParameters } from "./column-values.ts";
import { textSettings } from "./copied-rows.ts";
import { type DiskGuardOptions, guardDisk } from "./disk-guard.ts";
import { lockFolder } from "./folder-lock.ts";
import { migratedFolder } from "./migrated-folder.ts";
import { copiesOn } from "./pglite-copies.ts";

const settingsOfCopies = Object.entries(textSettings)
  .map(([name, value]) => `SET LOCAL ${name} = '${value}'`)
  .join("; ");

const parsers = Object.fromEntries(typeParsers);

/**
 * Opens PostgreSQL in process (PGlite) on a folder, which is locked, because a second process on it would silently lose
 * commits; with a guard, never fills its disk. Throws `FolderLocked` when another process holds it.
 */
export async function openPglite(
  folder: string,
  guard?: Pick<DiskGuardOptions, "reserve" | "logger">,
): Promise<Database> {
  ownFolder(folder);
  const unlock = lockFolder(folder);
  try {
    const engine = await PGlite.create({ dataDir: engineFolder(folder), parsers });
    const database = await pgliteDatabase(engine, unlock);
    return guard === undefined ? database : guardDisk(database, { ...guard, folder, abandon: unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Opens PostgreSQL in process and in memory, with the newest schema and no rows, or with the content of another
 * folder's archive. Its files are in memory already, so more buffers would store them twice.
 */
export async function openPgliteInMemory(
  folder: Blob = migratedFolder(),
  loaded: Pick<PGliteOptions, "pgliteWasmModule" | "initdbWasmModule" | "fsBundle"> = {},
): Promise<Database> {
  const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"];
  return pgliteDatabase(await PGlite.create({ loadDataDir: folder, parsers, startParams, ...loaded }));
}

/** Creates the engine's own folder. In an unwritable one, the engine would retry forever instead of failing. */
function engineFolder(folder: string): string {
  const path = join(folder, "pglite");
  ownFolder(path);
  return path;
}

/**
 * Adapts an open engine; `release` is called once it is closed. Temporary tables belong to the only connection: they
 * come last in the search path, so that only a session's transactions use them for others of the same name.
 */
export async function pgliteDatabase(engine: PGlite, release: () => void = () => {}): Promise<Database> {
  await engine.exec("SET search_path = public, pg_temp");
  return {
    engine: "pglite",
    ...queriesOn(engine),
    transaction: (work) => engine.transaction((transaction) => work(queriesOn(transaction))),
    copying: (work) =>
      engine.transaction(async (transaction) => {
        await transaction.exec(settingsOfCopies);
        return work({ ...queriesOn(transaction), ...copiesOn(transaction) });
      }),
    session: (_, work) => work(sessionOn(engine)),
    snapshot: (work) =>
      engine.transaction(async (transaction) => {
        await transaction.exec("SET TRANSACTION READ ONLY");
        return work(queriesOn(transaction));
      }),
    script: async (sql) => {
      await engine.exec(sql);
    },
    listen: (channel, receive) => engine.listen(channel, receive),
    close: async () => {
      await engine.close().finally(release);
    },
  };
}

function sessionOn(engine: PGlite): DatabaseSession {
  return {
    ...queriesOn(engine),
    transaction: (work) =>
      engine.transaction(async (transaction) => {
        await transaction.exec("SET TRANSACTION READ ONLY; SET LOCAL search_path = pg_temp, public");
        return work(queriesOn(transaction));
      }),
    script: async (sql) => {
      await engine.exec(sql);
    },
  };
}

/** The engine or a transaction of it, typed for parameters that are only read. */
interface StatementRunner {
  query<Row>(
    sql: string,
    parameters?: readonly SentParameter[],
  ): Promise<{ rows: Row[]; affectedRows?: number | undefined }>;
}

function queriesOn(runner: StatementRunner): Queries {
  return {
    cluster: undefined,
    query: async <Row>(sql: string, parameters?: readonly Parameter[]) =>
      (await runner.query<Row>(sql, sentParameters(parameters))).rows,
    execute: async (sql, parameters) =>
      (await runner.query(sql, sentParameters(parameters))).affectedRows ?? 0,
  };
}
