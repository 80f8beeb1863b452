import { type ChildProcess, execFile } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../servers/port.ts";
import { findPostgres, giveTo, type PostgresBinaries } from "./binaries.ts";
import { type Cluster, environment, keep, killServer, launch, relaunch, release } from "./server-process.ts";

export interface PostgresOptions {
  /** true: fsync, synchronous commits and full page writes as in production. Default: false, for speed. */
  durable?: boolean;
  /** Default: a free one. */
  port?: number;
  /** Further settings of postgresql.conf, e.g. `{ shared_buffers: "512MB" }`. */
  settings?: Record<string, string>;
}

export interface PostgresServer {
  /** URL of the database `postgres`, as superuser. */
  url: string;
  port: number;
  /** Temporary folder that holds everything of this server; gone after `stop`. */
  folder: string;
  /** Shuts down and removes the folder. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash would; the data stay, `restart` recovers them. Resolves when its backends have ended, too. */
  kill(): Promise<void>;
  /** Starts again on the same folder and port, after `kill`. */
  restart(): Promise<void>;
}

/**
 * Starts a real PostgreSQL 18 in a temporary folder, on 127.0.0.1; also as root. It is stopped and its folder
 * removed by `stop`, or when this process ends in whatever way.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(options.durable ? tmpdir() : folderInMemory(), "lading-postgres-"));
  const keeper = keep(folder);
  try {
    const binaries = await findPostgres(folder);
    const password = crypto.randomUUID();
    // Checking a password takes 5 ms otherwise.
    await initialise(binaries, folder, password, ["--set=scram_iterations=1"]);
    const cluster = { binaries, folder, port: options.port ?? 0, settings: settingsOf(options) };
    const port = await startOnPort(cluster);
    return server({ ...cluster, port: port.number }, port.process, keeper, password);
  } catch (error) {
    await release(keeper);
    throw error;
  }
}

/** The file system in memory of Linux, where a database is copied in a tenth of the time, if it has 4 GiB free. */
function folderInMemory(memory = "/dev/shm"): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir();
}

function server(
  cluster: Cluster,
  first: ChildProcess,
  keeper: ChildProcess,
  password: string,
): PostgresServer {
  let running = first;
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${cluster.port}/postgres`,
    port: cluster.port,
    folder: cluster.folder,
    stop: () => release(keeper),
    kill: () => killServer(running),
    async restart() {
      running = await relaunch(cluster);
    },
  };
}

function settingsOf({ durable, settings }: PostgresOptions): Record<string, string> {
  const fast = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  return { max_connections: "200", ...(durable ? {} : fast), ...settings };
}

export async function initialise(
  binaries: PostgresBinaries,
  folder: string,
  password: string,
  more: readonly string[] = [],
): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (binaries.user) await giveTo(binaries.user, folder);
  const args = ["--auth=password", "--username=postgres", `--pwfile=${passwordFile}`];
  await promisify(execFile)(
    binaries.initdb,
    [`--pgdata=${join(folder, "data")}`, "--no-sync", "--encoding=UTF8", "--locale=C", ...args, ...more],
    { ...binaries.user, cwd: folder, env: environment(folder) },
  );
}

/** Another process may take the free port first; then the next one is tried. */
export async function startOnPort(cluster: Cluster): Promise<{ number: number; process: ChildProcess }> {
  const fixed = cluster.port !== 0;
  for (let attempt = 1; ; attempt++) {
    const number = fixed ? cluster.port : await freePort();
    try {
      return { number, process: await launch({ ...cluster, port: number }) };
    } catch (error) {
      if (fixed || attempt === 5) throw error;
    }
  }
}
