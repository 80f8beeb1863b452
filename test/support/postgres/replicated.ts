import { type ChildProcess, execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../servers/port.ts";
import { giveTo } from "./binaries.ts";
import { initialise, startOnPort } from "./postgres.ts";
import { type Cluster, environment, keep, killServer, launch, release } from "./server-process.ts";
import { serverPrograms } from "./server-programs.ts";

/** A primary and a standby that confirms each commit, in their own folders, until `stop`. */
export interface ReplicatedPostgres {
  /** URL that names both hosts, as superuser. */
  readonly url: string;
  /** Runs a statement as superuser on the server that is the primary. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** SIGKILL to the primary. */
  kill(): Promise<void>;
  /** Promotes the standby, and makes a new standby where the primary was. */
  restart(): Promise<void>;
  /** SIGKILL to the standby: nothing can be committed any more. */
  killStandby(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The name under which a standby connects (`cluster_name`). It is named and not `*`, which pg_basebackup would match,
 * so that a commit is confirmed by nothing but a standby.
 */
const standbyName = "standby";

/** Never without a standby: the one that was promoted commits nothing until the next one streams. */
const settings = {
  ...{ max_connections: "200", wal_keep_size: "256MB" },
  ...{ cluster_name: standbyName, synchronous_standby_names: standbyName },
};

/** Starts a primary and a synchronous standby on 127.0.0.1. @throws where PostgreSQL's own programs are missing */
export async function startReplicated(): Promise<ReplicatedPostgres> {
  const pair = new Pair();
  try {
    await pair.start();
    return pair;
  } catch (error) {
    await pair.stop();
    throw error;
  }
}

class Pair implements ReplicatedPostgres {
  url = "";
  readonly #programs = serverPrograms();
  readonly #password = crypto.randomUUID();
  readonly #keepers: ChildProcess[] = [];
  readonly #running = new Map<Cluster | undefined, ChildProcess>();
  #primary: Cluster | undefined;
  #standby: Cluster | undefined;

  async start(): Promise<void> {
    const cluster = async (port: number) => {
      const folder = await mkdtemp(join(tmpdir(), "lading-replicated-"));
      this.#keepers.push(keep(folder));
      if (this.#programs.user) await giveTo(this.#programs.user, folder);
      return { binaries: this.#programs, folder, port, settings };
    };
    const first = await cluster(0);
    await initialise(this.#programs, first.folder, this.#password);
    const { number, process } = await startOnPort(first);
    this.#primary = { ...first, port: number };
    this.#running.set(this.#primary, process);
    this.#standby = await cluster(await freePort());
    await this.#follow(this.#primary, this.#standby);
    const hosts = [this.#primary, this.#standby].map(({ port }) => `127.0.0.1:${port}`).join();
    this.url = `postgres://postgres:${this.#password}@${hosts}/postgres?target_session_attrs=read-write`;
  }

  async query(sql: string): Promise<Record<string, unknown>[]> {
    const server = { host: "127.0.0.1", port: this.#primary?.port ?? 0, database: "postgres" };
    const client = new pg.Client({ ...server, user: "postgres", password: this.#password });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  kill(): Promise<void> {
    return this.#kill(this.#primary);
  }

  killStandby(): Promise<void> {
    return this.#kill(this.#standby);
  }

  async restart(): Promise<void> {
    const [promoted, killed] = [this.#standby, this.#primary];
    if (promoted === undefined || killed === undefined) throw new Error("the servers were not started");
    [this.#primary, this.#standby] = [promoted, killed];
    await this.query("SELECT pg_promote()");
    await this.#follow(promoted, killed);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#keepers.map(release));
  }

  async #kill(server: Cluster | undefined): Promise<void> {
    const child = this.#running.get(server);
    if (child !== undefined) await killServer(child);
  }

  /** Makes a standby by a copy of the primary, and waits until it confirms commits. */
  async #follow(primary: Cluster, standby: Cluster): Promise<void> {
    const data = join(standby.folder, "data");
    await rm(data, { recursive: true, force: true });
    const source = ["--host=127.0.0.1", `--port=${primary.port}`, "--username=postgres"];
    const how = ["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"];
    const env = { ...environment(standby.folder), PGPASSWORD: this.#password };
    const options = { ...this.#programs.user, cwd: standby.folder, env };
    await promisify(execFile)(this.#programs.basebackup, [...source, ...how, `--pgdata=${data}`], options);
    this.#running.set(standby, await launch(standby));
    const streaming = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`;
    while ((await this.query(streaming)).length === 0) await setTimeout(20);
  }
}
