import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { parse } from "yaml";
import { freePort } from "../servers/port.ts";
import { giveTo, type PostgresBinaries } from "./binaries.ts";
import { environment, keep, release } from "./server-process.ts";
import { missingServerPrograms, serverPrograms } from "./server-programs.ts";

/** Where Debian's packages `patroni`, `etcd-server` and `haproxy` put their programs. */
const programs = {
  patroni: "/usr/bin/patroni",
  etcd: "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
} as const;

/** Says which programs are missing, and what to do; undefined when all are there. */
export function missingPatroni(): string | undefined {
  const missing = Object.values(programs).filter((path) => !existsSync(path));
  return missing.length === 0
    ? missingServerPrograms()
    : `${missing.join(", ")} not found: install Debian's packages patroni, etcd-server and haproxy`;
}

/** A file that users start from. */
const deployed = (name: string) => readFileSync(join(import.meta.dirname, "../../../deploy", name), "utf8");

/** The longest wait for a state of the cluster, in milliseconds. */
const longestWait = 120_000;

/** Starts the cluster. @throws where one of its programs is missing */
export async function startPatroni(): Promise<PatroniCluster> {
  const cluster = new PatroniCluster();
  try {
    await cluster.start();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

interface Node {
  name: string;
  port: number;
  restPort: number;
  data: string;
  /** The file of its configuration. */
  file: string;
  /** Kills its Patroni. */
  kill?: () => Promise<void>;
}

interface ClusterMember {
  name: string;
  role: string;
  state: string;
}

/** Two PostgreSQL servers that Patroni manages, with their leader in etcd, behind HAProxy. */
class PatroniCluster {
  /** URL of the primary, through HAProxy, as superuser. */
  url = "";
  readonly #binaries = serverPrograms();
  readonly #password = crypto.randomUUID();
  readonly #kills: (() => Promise<void>)[] = [];
  #folder = "";
  #keeper: ChildProcess | undefined;
  #nodes: Node[] = [];
  #killed: Node | undefined;

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), "lading-patroni-"));
    this.#keeper = keep(this.#folder);
    const etcd = await this.#startEtcd();
    this.#nodes = await Promise.all(["db1", "db2"].map((name) => this.#configure(name, etcd)));
    if (this.#binaries.user) await giveTo(this.#binaries.user, this.#folder);
    for (const node of this.#nodes) this.#startNode(node);
    await this.#startProxy();
    await this.settled();
  }

  /** SIGKILL to the primary and to its Patroni, as when their machine stops. */
  async kill(): Promise<void> {
    const leader = await this.#leader();
    this.#killed = leader;
    await leader.kill?.();
    const pid = Number(readFileSync(join(leader.data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
    process.kill(pid, "SIGKILL");
  }

  /** Waits until the standby has become the primary, and starts the killed one as its standby. */
  async restart(): Promise<void> {
    const killed = this.#killed;
    if (killed === undefined) throw new Error("nothing was killed");
    await this.#until("another one leads", (members) =>
      members.some(
        ({ name, role, state }) => name !== killed.name && role === "leader" && state === "running",
      ),
    );
    this.#startNode(killed);
    await this.#reached();
  }

  /** Makes the standby the primary, as an administrator does for maintenance. */
  async switchOver(): Promise<void> {
    const leader = await this.#leader();
    const candidate = this.#nodes.find((node) => node !== leader);
    const response = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`patroni:${this.#password}`)}` },
      body: JSON.stringify({ leader: leader.name, candidate: candidate?.name }),
    });
    if (!response.ok) throw new Error(`Patroni refused to switch over: ${await response.text()}`);
    await this.#reached();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#kills.map((kill) => kill()));
    if (this.#keeper !== undefined) await release(this.#keeper);
  }

  async #startEtcd(): Promise<number> {
    const [client, peer] = [await freePort(), await freePort()];
    const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    const options = {
      ...{ "data-dir": join(this.#folder, "etcd"), "log-level": "error", "unsafe-no-fsync": "" },
      ...{ "listen-client-urls": clients, "advertise-client-urls": clients },
      ...{ "listen-peer-urls": peers, "initial-advertise-peer-urls": peers },
      "initial-cluster": `default=${peers}`,
    };
    const flags = Object.entries(options).map(([name, value]) =>
      value === "" ? `--${name}` : `--${name}=${value}`,
    );
    this.#run(programs.etcd, flags);
    await eventually("etcd answers", async () => (await fetch(`${clients}/health`)).ok);
    return client;
  }

  async #configure(name: string, etcd: number): Promise<Node> {
    const [port, restPort, folder] = [await freePort(), await freePort(), join(this.#folder, name)];
    const rest = `127.0.0.1:${restPort}`;
    const server = `127.0.0.1:${port}`;
    const access = (username: string) => ({ username, password: this.#password });
    const configuration = {
      ...{ scope: "lading", name, etcd3: { host: `127.0.0.1:${etcd}` } },
      restapi: { listen: rest, connect_address: rest, authentication: access("patroni") },
      bootstrap: { dcs: parse(deployed("patroni.yaml")), initdb: [{ encoding: "UTF8" }, "data-checksums"] },
      postgresql: {
        ...{ listen: server, connect_address: server, data_dir: join(folder, "data") },
        ...{ bin_dir: dirname(this.#binaries.postgres), pgpass: join(folder, "pgpass") },
        parameters: { unix_socket_directories: "", log_min_messages: "fatal" },
        authentication: { superuser: access("postgres"), replication: access("replicator") },
        pg_hba: [
          "host all all 127.0.0.1/32 scram-sha-256",
          "host replication all 127.0.0.1/32 scram-sha-256",
        ],
      },
      log: { level: "ERROR" },
    };
    const file = join(this.#folder, `${name}.json`);
    await writeFile(file, JSON.stringify(configuration));
    await mkdir(folder);
    return { name, port, restPort, data: join(folder, "data"), file };
  }

  #startNode(node: Node): void {
    node.kill = this.#run(programs.patroni, [node.file], this.#binaries.user);
  }

  #run(program: string, args: readonly string[], user?: PostgresBinaries["user"]): () => Promise<void> {
    const kill = run([program, ...args], this.#keeper?.stdin, user);
    this.#kills.push(kill);
    return kill;
  }

  async #startProxy(): Promise<void> {
    const port = await freePort();
    const address: Record<string, string> = { "*:5000": `127.0.0.1:${port}` };
    for (const { name, port, restPort } of this.#nodes)
      address[`${name}:5432 check port 8008`] = `127.0.0.1:${port} check port ${restPort}`;
    let text = deployed("haproxy.cfg");
    for (const [theirs, ours] of Object.entries(address)) text = text.replace(theirs, ours);
    const file = join(this.#folder, "haproxy.cfg");
    await writeFile(file, text);
    this.#run(programs.haproxy, ["-f", file, "-q"]);
    this.url = `postgres://postgres:${this.#password}@127.0.0.1:${port}/postgres?target_session_attrs=read-write`;
  }

  /** Waits until the primary has a synchronous standby, and connections reach it. */
  async settled(): Promise<void> {
    await this.#until("a standby confirms commits", (members) =>
      members.some(({ role, state }) => role === "sync_standby" && ["running", "streaming"].includes(state)),
    );
    await this.#reached();
  }

  async #reached(): Promise<void> {
    await eventually("the proxy reaches the primary", async () => {
      const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
      client.on("error", () => {});
      await client.connect();
      const { rows } = await client
        .query("SELECT pg_is_in_recovery() AS standby")
        .finally(() => client.end());
      return rows[0].standby === false;
    });
  }

  async #leader(): Promise<Node> {
    const members = await this.#members();
    const leader = members.find(({ role }) => role === "leader");
    const node = this.#nodes.find(({ name }) => name === leader?.name);
    if (node === undefined) throw new Error(`there is no leader: ${JSON.stringify(members)}`);
    return node;
  }

  async #members(): Promise<ClusterMember[]> {
    const answers = this.#nodes.map(async ({ restPort }) => {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`);
      const { members }: { members: ClusterMember[] } = await response.json();
      return members;
    });
    return Promise.any(answers);
  }

  async #until(what: string, isSo: (members: ClusterMember[]) => boolean): Promise<void> {
    await eventually(what, async () => isSo(await this.#members()));
  }
}

async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const until = performance.now() + longestWait; ; ) {
    if (await isSo().catch(() => false)) return;
    if (performance.now() > until) throw new Error(`Waited ${longestWait / 1_000} seconds until ${what}`);
    await setTimeout(100);
  }
}

/**
 * Runs a program until the returned function is called, or this process ends in whatever way: it is then killed with
 * its children. It holds `keeper` open, which so ends the servers when no Patroni is left that would start them again.
 */
function run(
  command: readonly string[],
  keeper: ChildProcess["stdin"] | undefined,
  user: PostgresBinaries["user"],
): () => Promise<void> {
  const shell = spawn("sh", ["-c", '"$@" & cat > /dev/null; kill -KILL 0', "sh", ...command], {
    ...{ ...user, cwd: tmpdir(), env: environment(tmpdir()), detached: true },
    stdio: ["pipe", "ignore", "ignore", keeper],
  });
  const killed = once(shell, "exit");
  return async () => {
    shell.stdin?.end();
    await killed;
  };
}
