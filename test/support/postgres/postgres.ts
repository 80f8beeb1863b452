import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { listen } from "../servers/port.ts";
import { findPostgres, giveTo, type PostgresBinaries } from "./binaries.ts";

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

interface Cluster {
  binaries: PostgresBinaries;
  folder: string;
  port: number;
  settings: Record<string, string>;
}

/**
 * Starts a real PostgreSQL 18 in a temporary folder, on 127.0.0.1; also as root. It is stopped and its folder
 * removed by `stop`, or when this process ends in whatever way.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "lading-postgres-"));
  const keeper = keep(folder);
  try {
    const binaries = await findPostgres(folder);
    const password = crypto.randomUUID();
    await initialise(binaries, folder, password);
    const cluster = { binaries, folder, port: options.port ?? 0, settings: settingsOf(options) };
    const port = await startOnPort(cluster);
    return server({ ...cluster, port: port.number }, port.process, keeper, password);
  } catch (error) {
    await release(keeper);
    throw error;
  }
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
    async kill() {
      const exited = once(running, "exit");
      const backends = childrenOf(running.pid);
      running.kill("SIGKILL");
      await exited;
      // A backend that has not noticed yet would still take a COMMIT.
      while (backends.some(isRunning)) await setTimeout(5);
    },
    async restart() {
      running = await relaunch(cluster);
    },
  };
}

/** The children of a process; none where there is no /proc. */
function childrenOf(pid: number | undefined): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : [];
}

/** Returns false for a zombie, too: nobody may be there to reap an orphan. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function settingsOf({ durable, settings }: PostgresOptions): Record<string, string> {
  const fast = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  return { max_connections: "200", ...(durable ? {} : fast), ...settings };
}

async function initialise(binaries: PostgresBinaries, folder: string, password: string): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (binaries.user) await giveTo(binaries.user, folder);
  const args = ["--auth=password", "--username=postgres", `--pwfile=${passwordFile}`];
  await promisify(execFile)(
    binaries.initdb,
    [`--pgdata=${join(folder, "data")}`, "--no-sync", "--encoding=UTF8", "--locale=C", ...args],
    { ...binaries.user, cwd: folder, env: environment(folder) },
  );
}

/** Another process may take the free port before PostgreSQL does: then the next one is tried. */
async function startOnPort(cluster: Cluster): Promise<{ number: number; process: ChildProcess }> {
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

/** Starts again after a kill: the processes of the server that was killed take a moment to notice that it is gone. */
async function relaunch(cluster: Cluster): Promise<ChildProcess> {
  for (;;) {
    try {
      return await launch(cluster);
    } catch (error) {
      if (!String(error).includes("pre-existing shared memory block")) throw error;
      await setTimeout(100);
    }
  }
}

async function launch(cluster: Cluster): Promise<ChildProcess> {
  const settings = {
    ...cluster.settings,
    port: String(cluster.port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    log_min_messages: "log",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(cluster.binaries.postgres, ["-D", join(cluster.folder, "data"), ...flags], {
    ...cluster.binaries.user,
    cwd: cluster.folder,
    env: environment(cluster.folder),
    stdio: ["ignore", "ignore", "pipe"],
    detached: true, // Ctrl-C reaches the test runner only; the keeper ends the server
  });
  await ready(child);
  return child;
}

async function ready(child: ChildProcess): Promise<void> {
  let log = "";
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`PostgreSQL ended with code ${code}:\n${log}`)));
    child.stderr?.on("data", (chunk) => {
      log = (log + chunk).slice(-10_000);
      if (log.includes("ready to accept connections")) resolve();
    });
  });
  child.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
}

/**
 * A process that does nothing until its standard input ends, be it by `release` or because this process died;
 * then it ends the server and removes the folder.
 */
function keep(folder: string): ChildProcess {
  const script = `
    cat > /dev/null
    pid=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null)
    if [ -n "$pid" ]; then
      kill -QUIT "$pid" 2> /dev/null
      while kill -0 "$pid" 2> /dev/null; do sleep 0.02; done
    fi
    rm -rf "$0"`;
  const keeper = spawn("sh", ["-c", script, folder], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  keeper.unref();
  if (keeper.stdin instanceof Socket) keeper.stdin.unref();
  return keeper;
}

async function release(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null) return;
  keeper.ref();
  const exited = once(keeper, "exit");
  keeper.stdin?.end();
  await exited;
}

function environment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, LC_ALL: "C", TZ: "UTC" };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe);
  probe.close();
  await once(probe, "close");
  return port;
}
