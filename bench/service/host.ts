import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterFolder, superuser } from "../../packages/service/src/storage/engines/native/cluster.ts";
import { openNative } from "../../packages/service/src/storage/engines/native/native.ts";
import { type Access, createTenant, type TenantClient, tenantClient } from "../../test/support/client.ts";
import { startPostgres } from "../../test/support/postgres/postgres.ts";
import { type Connection, connectPglite, connectPostgres } from "../floor/connection.ts";
import type { Engine } from "../program.ts";
import { type MeasuredService, startMeasured } from "./measured.ts";

/** A service on an empty database whose tables can be read between runs. */
export interface Host {
  /** The running service. PGlite is one process: reading its tables stops the service meanwhile. */
  readonly service: MeasuredService;
  /** Works on the database while the service is idle. */
  look<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Stops the service for good, and works on the data it left. */
  leave<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** CPU time of the database server so far, in milliseconds of one core; null if it has no processes of its own. */
  databaseCpuMs(): Promise<number | null>;
  /** Stops the processes and removes the data. */
  close(): Promise<void>;
}

/** The server URL of a native embedded database that a service has open. */
const embeddedUrl = (database: string) =>
  `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(database)}`;

/** Returns a function that works on the database: on a server by its URL, on an embedded one in its folder. */
function connecting(engine: Engine, folder: string, url: string | undefined) {
  return async <Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> => {
    const connection = await (engine === "pglite"
      ? connectPglite(folder)
      : connectPostgres(url ?? embeddedUrl(join(folder, "database"))));
    return work(connection).finally(() => connection.close());
  };
}

/** Starts a durable database and a service; another tenant warms up each process of the service first. */
export async function openHost(
  engine: Engine,
  warmUp: (client: TenantClient) => Promise<void>,
): Promise<Host> {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  let running: MeasuredService | undefined;
  let warm: Access | undefined;
  const start = async (existing?: MeasuredService) => {
    running = await startMeasured(folder, server?.url, engine, existing?.access);
    const { url, operatorToken } = running;
    warm ??= await createTenant(url, operatorToken, "warm");
    await warmUp(tenantClient(url, "warm", warm));
    return running;
  };
  let service = await start();
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  const connected = connecting(engine, folder, server?.url);
  return {
    get service() {
      return service;
    },
    async look(work) {
      if (engine !== "pglite") return connected(work);
      await stop();
      const result = await connected(work);
      service = await start(service);
      return result;
    },
    async leave(work) {
      await stop();
      if (engine !== "native") return connected(work);
      const left = await openNative(join(folder, "database"));
      return connected(work).finally(() => left.database.close());
    },
    async databaseCpuMs() {
      if (engine === "pglite") return null;
      return serverCpuMs(server ? join(server.folder, "data") : clusterFolder(join(folder, "database")));
    },
    async close() {
      await stop();
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Length of a clock tick in `/proc/<pid>/stat`, in milliseconds: Linux reports 100 ticks per second to programs. */
const tickMs = 10;

/** A process's CPU times in ticks: its own, and those of its ended children. */
interface Times {
  parent: string;
  own: number;
  ended: number;
}

async function timesOf(pid: string): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The program's name, in brackets, may contain spaces; state and parent follow it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields?.[1] === undefined) return undefined;
  const sum = (first: number) => Number(fields[first]) + Number(fields[first + 1]);
  return { parent: fields[1], own: sum(11), ended: sum(13) };
}

/**
 * CPU time used so far by all processes of a PostgreSQL server, in milliseconds of one core; null if the
 * system has no `/proc`. `dataFolder` is the server's data directory.
 */
async function serverCpuMs(dataFolder: string): Promise<number | null> {
  const pid = (await readFile(join(dataFolder, "postmaster.pid"), "utf8")).split("\n", 1)[0] ?? "";
  const server = await timesOf(pid);
  if (server === undefined) return null;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map(timesOf));
  const children = all.filter((times) => times?.parent === pid).reduce((sum, times) => sum + times!.own, 0);
  return (server.own + server.ended + children) * tickMs;
}
