import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { PGliteOptions } from "@electric-sql/pglite";
import pg from "pg";
import type { Database, Queries } from "./database.ts";
import { lockFolder } from "./folder-lock.ts";
import { queriesOn, transaction, types } from "./postgres.ts";
import { WorkerStream } from "./worker-stream.ts";

// As this file: TypeScript in the repository, JavaScript where it was built.
const workerFile = new URL(`./pglite-worker${extname(import.meta.filename)}`, import.meta.url);

/**
 * Opens PostgreSQL in a thread of this process (PGlite). `folder` undefined keeps everything in memory; a folder is
 * locked, because a second process on it would lose commits without a word. Throws `FolderLocked` when another holds it.
 */
export async function openPglite(folder?: string): Promise<Database> {
  if (folder === undefined) return await startPglite({});
  await mkdir(folder, { recursive: true });
  const unlock = lockFolder(folder);
  try {
    return await startPglite({ dataDir: join(folder, "pglite") }, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens it with settings of PGlite's own, which can be copied to a thread; `release` is called once it is closed. */
export async function startPglite(options: PGliteOptions, release: () => void = () => {}): Promise<Database> {
  const worker = new Worker(workerFile, { workerData: options });
  await once(worker, "message");
  const client = new pg.Client({
    stream: () => new WorkerStream(worker),
    user: "postgres",
    database: "postgres",
    ssl: false,
    types,
    pipeline: true,
  } as pg.ClientConfig);
  // A thread that dies fails what was asked of it and all that is asked later; without a listener it would end the process.
  client.on("error", () => {});
  client.setMaxListeners(0);
  await client.connect();
  return databaseOn(client, release);
}

/** The port over one connection, which is had by one at a time. */
function databaseOn(client: pg.Client, release: () => void): Database {
  const connect = inTurn(client);
  const alone = async <Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> => {
    const taken = await connect();
    return await work(queriesOn(taken)).finally(() => taken.release());
  };
  return {
    engine: "pglite",
    query: (sql, parameters) => alone((queries) => queries.query(sql, parameters)),
    execute: (sql, parameters) => alone((queries) => queries.execute(sql, parameters)),
    transaction: (work, turn) => transaction({ connect } as Pick<pg.Pool, "connect">, work, turn),
    script: (sql) => alone(async (queries) => void (await queries.execute(sql))),
    listen: async (channel, receive) => {
      const hear = (message: pg.Notification) => {
        if (message.channel === channel) receive(message.payload ?? "");
      };
      client.on("notification", hear);
      await alone((queries) => queries.execute(`LISTEN ${channel}`));
      return async () => void client.off("notification", hear);
    },
    close: async () => {
      const taken = await connect();
      await client.end();
      taken.release(); // who asks from now on is refused by the client
      release();
    },
  };
}

/** Hands a connection to those who ask for it one after the other, as each gives it back. */
function inTurn(client: pg.Client): () => Promise<pg.PoolClient> {
  let free: Promise<void> = Promise.resolve();
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = free;
    free = promise;
    await before;
    return Object.assign(client, { release: () => resolve() }) as pg.PoolClient;
  };
}
