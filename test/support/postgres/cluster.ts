import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { distribute } from "../../../packages/service/src/storage/engines/citus/distribute.ts";
import { openPostgres } from "../../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../../packages/service/src/storage/migrate.ts";
import type { KillableDatabase } from "../../torture/fleet.ts";
import type { Random } from "../random.ts";
import {
  clusterUrl,
  createDatabase,
  execute,
  type FreshDatabase,
  nodesOf,
  urlOf,
} from "./create-database.ts";

/** Makes a new database one of the cluster: each node has Citus in it, and the coordinator knows its workers. */
export async function joinCluster({ url, name }: FreshDatabase): Promise<void> {
  const nodes = await nodesOf(clusterUrl!);
  for (const node of nodes) await execute(urlOf(node, name), "CREATE EXTENSION citus");
  const [coordinator, ...workers] = nodes.map((node) => new URL(node));
  const place = ({ hostname, port }: URL) => `('${hostname}', ${port || 5432})`;
  await execute(url, `SELECT citus_set_coordinator_host${place(coordinator!)}`);
  for (const worker of workers) await execute(url, `SELECT citus_add_node${place(worker)}`);
}

/** Migrates an empty database of a cluster, and distributes its tables. */
export async function distributeFresh(fresh: FreshDatabase): Promise<void> {
  await joinCluster(fresh);
  const database = openPostgres(fresh.url);
  await migrate(database);
  await distribute(database);
  await database.close();
}

/** A node whose server runs on this machine. */
interface LocalNode {
  readonly name: string;
  readonly folder: string;
  readonly programs: string;
}

/** A distributed database on the cluster, whose nodes are killed at random and started again. */
export async function killableCluster(random: Random): Promise<KillableDatabase & { stop(): Promise<void> }> {
  const fresh = await createDatabase(clusterUrl!, "killed");
  await distributeFresh(fresh);
  const nodes = await localNodes();
  let killed: LocalNode | undefined;
  return {
    url: fresh.url,
    async kill() {
      killed = random.pick(nodes);
      process.kill(
        Number(readFileSync(join(killed.folder, "postmaster.pid"), "utf8").split("\n", 1)[0]),
        "SIGKILL",
      );
    },
    get hit() {
      return killed?.name;
    },
    async restart() {
      if (killed !== undefined) start(killed);
    },
    stop: fresh.drop,
  };
}

async function localNodes(): Promise<LocalNode[]> {
  const urls = (await nodesOf(clusterUrl!)).filter((url) =>
    /^(127\.0\.0\.1|localhost)$/.test(new URL(url).hostname),
  );
  const nodes = urls.map(async (url, i) => {
    const [found] = await execute<Omit<LocalNode, "name">>(
      url,
      `SELECT current_setting('data_directory') AS folder, setting AS programs FROM pg_config WHERE name = 'BINDIR'`,
    );
    return { name: i === 0 ? "coordinator" : "worker", folder: found!.folder, programs: found!.programs };
  });
  const local = (await Promise.all(nodes)).filter(({ folder }) => existsSync(join(folder, "postmaster.pid")));
  if (local.length === 0)
    throw new Error("no node of the cluster runs on this machine, so none can be killed");
  return local;
}

/** The processes of the server that was killed take a moment to notice that it is gone. */
function start({ folder, programs }: LocalNode): void {
  const { uid, gid } = statSync(folder);
  for (let attempt = 0; attempt < 20; attempt++) {
    const arguments_ = ["-D", folder, "-l", join(folder, "log.txt"), "-w", "start"];
    if (spawnSync(join(programs, "pg_ctl"), arguments_, { uid, gid, stdio: "ignore" }).status === 0) return;
  }
  throw new Error(`the server in ${folder} does not start again; its log is log.txt there`);
}
