import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openServerOrCluster } from "../../packages/service/src/storage/engines/citus/cluster.ts";
import { openEmbedded } from "../../packages/service/src/storage/engines/embedded.ts";
import { killableCluster } from "../support/postgres/cluster.ts";
import { startPatroni } from "../support/postgres/patroni.ts";
import { startPostgres } from "../support/postgres/postgres.ts";
import { startReplicated } from "../support/postgres/replicated.ts";
import { type Random, seeded } from "../support/random.ts";
import { openCable } from "./cable.ts";
import { differences, neverSucceeded, orphanedFiles, stuckTasks } from "./check.ts";
import { type Look, type NamedAccess, PatientClient } from "./client.ts";
import { embeddedServer } from "./embedded-server.ts";
import { type Embedded, Fleet, fleetSize, type Prey } from "./fleet.ts";
import { imageServer } from "./images.ts";
import { live, tasksOf } from "./lives.ts";
import { Spares } from "./member.ts";
import { type Kill, type Outage, Progress } from "./progress.ts";
import { randomFile } from "./workload.ts";
import { Writer } from "./writer.ts";

export const tortureEngines = ["postgresql", "native", "pglite"] as const;
export type TortureEngine = (typeof tortureEngines)[number];

export interface TortureOptions {
  engine: TortureEngine;
  /** Default: everything. The primary is one of two replicated servers; the others need PostgreSQL too. */
  prey?: Prey;
  /** The database is distributed over the cluster of `LADING_TEST_CITUS_URL`, whose nodes are killed. */
  cluster?: boolean;
  /** Patroni manages the two servers; half of the strikes switch over without a kill. */
  patroni?: boolean;
  /**
   * The time for which the network is cut, in milliseconds. With it processes are cut off whatever else is hit.
   * Default: 60,000 where the network is hit.
   */
  cutMs?: number;
  /** The number of kills; one counts only when a log has grown since the one before. */
  kills: number;
  seed: number;
  operations: number;
  /** Tenants whose tasks are executed at the same time, each tenant's one after the other. Default: 3. */
  tenants?: number;
  log?: (line: string) => void;
}

export interface TortureReport {
  kills: number;
  /** Kills by what was killed; the name of a point means that the process died there. */
  killed: Record<string, number>;
  /** The times from each kill until what was killed was replaced, in milliseconds; for a database, by a new standby. */
  strikes: number[];
  /** From each kill of what was at work until a log was seen to grow. */
  outages: Outage[];
  /** From each kill until a mutation that was sent afterwards was acknowledged. */
  writeOutages: Outage[];
  tasks: number;
  operations: number;
  /** Single mutations that were acknowledged meanwhile, and those that were not answered. */
  mutations: { acknowledged: number; unanswered: number };
  /** Everything found wrong; empty when nothing was lost or repeated. */
  wrong: string[];
}

/** The tasks of a tenant: all tenants execute the same files, and so does the one that is left alone. */
interface Run {
  access: NamedAccess;
  file: number;
}

/** Longest time, in milliseconds, from the log's growth to the kill. */
const longestPause = 200;
/** Kills between two lines of the log. */
const linesEvery = 10;

/** Executes random files while processes and the database server are killed, and compares with undisturbed runs. */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const folder = await mkdtemp(join(tmpdir(), "lading-torture-"));
  // As root, the server of an embedded database runs as another user, which has to pass.
  await chmod(folder, 0o711);
  const dataDir = join(folder, "data");
  const random = seeded(options.seed);
  const { prey = "everything", cutMs = prey === "network" ? 60_000 : undefined } = options;
  // They load the service's code while the server starts.
  const spares = new Spares(options.engine === "postgresql" ? fleetSize : 1, join(folder, "cache"));
  const postgres = await serverFor(options, prey);
  const cables =
    postgres === undefined || cutMs === undefined
      ? []
      : await Promise.all(Array.from({ length: fleetSize }, () => openCable(postgres.url)));
  const images = await imageServer();
  const fleet = new Fleet({
    ...{ dataDir, spares, random, prey, cables },
    ...(postgres ? { postgres } : { embedded: embeddedOf(options.engine, dataDir) }),
    ...(cutMs !== undefined && { cutMs }),
  });
  const file = (number: number) =>
    randomFile(seeded(options.seed * 1_000 + number), options.operations, images.url);
  try {
    const { runs, killed, strikes, outages, writer } = await disturbed(options, fleet, random, file);
    options.log?.(`the tasks of ${runs.length} tenants ended; now the same undisturbed`);
    await fleet.reconnected();
    const calm = await undisturbed(options, fleet, runs, file);
    const wrongStocks = await writer.findWrong();
    await fleet.stop();
    const wrong = [...wrongStocks, ...(await findWrong(dataDir, postgres?.url, runs, calm, file))];
    const sum = (of: (file: number) => number) => runs.reduce((sum, run) => sum + of(run.file), 0);
    const tasks = sum(tasksOf);
    const operations = sum((number) => tasksOf(number) * file(number).operations.length);
    return {
      ...{ kills: sumOf(killed), killed, strikes, outages, writeOutages: writer.outages },
      ...{ tasks, operations, mutations: writer.answers, wrong },
    };
  } finally {
    await fleet.stop();
    for (const cable of cables) cable.close();
    await postgres?.stop();
    images.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function serverFor({ engine, seed, cluster = false, patroni = false }: TortureOptions, prey: Prey) {
  if (cluster) return killableCluster(seeded(seed + 2));
  if (prey === "primary") return patroni ? startPatroni() : startReplicated();
  return engine === "postgresql" ? startPostgres({ durable: true }) : undefined;
}

/** The engine of the one process without a server of its own; the server of a native one can be killed. */
function embeddedOf(engine: TortureEngine, dataDir: string): Embedded {
  const native = engine === "native";
  return { engine: native ? "native" : "pglite", ...(native && { server: embeddedServer(dataDir) }) };
}

const sumOf = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

type Files = (number: number) => { operations: object[] };

/** Has tenants execute one task after the other until there were enough kills, then waits for the open tasks. */
async function disturbed(
  { kills, seed, operations, tenants = 3, log = () => {} }: TortureOptions,
  fleet: Fleet,
  random: Random,
  file: Files,
): Promise<Pick<TortureReport, "killed" | "strikes" | "outages"> & { runs: Run[]; writer: Writer }> {
  const strikes: number[] = [];
  const progress = new Progress(seeded(seed + 1), operations);
  const killed: Record<string, number> = {};
  const runs: Run[] = [];
  let failed = false;
  const enough = () => failed || sumOf(killed) >= kills;
  const client = new PatientClient(fleet, () => failed);
  const writer = await Writer.prepare(client);
  let writing = true;

  const tenant = async (number: number) => {
    for (let next = 0; !enough(); next++) {
      const access = await client.tenant(`torn-${number}-${next}`);
      runs.push({ access, file: next });
      await live({ client, access, number: next, file: file(next) }, async (id, step) => {
        progress.begin(id, step === "plan");
        const onLook = (look: Look) => progress.seen(id, look.processed, look.askedAt);
        await client.untilEnded(access, id, onLook, step);
        progress.end(id);
      });
    }
  };
  const killer = async () => {
    while (!enough()) {
      const weapon = await fleet.draw();
      while (!enough() && !(progress.grown && (progress.killable || !weapon.hitsTasks)))
        await new Promise((resolve) => setTimeout(resolve, 20));
      await new Promise((resolve) => setTimeout(resolve, random.below(longestPause)));
      const kill: Kill = { what: "", at: performance.now() };
      writer.killing(kill);
      kill.what = await weapon.strike();
      strikes.push(Math.round(performance.now() - kill.at));
      progress.killed(kill, weapon.hitsTasks);
      killed[kill.what] = (killed[kill.what] ?? 0) + 1;
      if (sumOf(killed) % linesEvery === 0) log(`${sumOf(killed)} of ${kills} kills, ${runs.length} tenants`);
    }
  };
  const written = writer.writeUntil(() => !writing);
  const work = [killer(), ...Array.from({ length: tenants }, (_, number) => tenant(number))];
  try {
    await Promise.all(work);
  } catch (error) {
    failed = true;
    await Promise.allSettled(work);
    throw error;
  } finally {
    writing = false;
    await written;
  }
  return { runs, killed, strikes, outages: progress.outages, writer };
}

/** Executes each file once more for a tenant of its own; returns these tenants by the file's number. */
async function undisturbed(
  { tenants = 3 }: TortureOptions,
  fleet: Fleet,
  runs: readonly Run[],
  file: Files,
): Promise<Map<number, NamedAccess>> {
  const client = new PatientClient(fleet, () => false);
  const calm = new Map<number, NamedAccess>();
  const files = [...new Set(runs.map((run) => run.file))];
  const worker = async () => {
    for (let number = files.pop(); number !== undefined; number = files.pop()) {
      const access = await client.tenant(`calm-${number}`);
      await live({ client, access, number, file: file(number) }, (id, step) =>
        client.untilEnded(access, id, undefined, step),
      );
      calm.set(number, access);
    }
  };
  await Promise.all(Array.from({ length: tenants }, worker));
  return calm;
}

async function findWrong(
  dataDir: string,
  url: string | undefined,
  runs: readonly Run[],
  calm: ReadonlyMap<number, NamedAccess>,
  file: Files,
): Promise<string[]> {
  const database =
    url === undefined
      ? (await openEmbedded(join(dataDir, "database"))).database
      : await openServerOrCluster(url);
  try {
    const wrong: string[] = [];
    for (const run of runs) {
      const undisturbedId = calm.get(run.file)?.tenant.id ?? "";
      const { length } = file(run.file).operations;
      const texts = await differences(database, run.access.tenant.id, undisturbedId, length);
      wrong.push(...texts.map((text) => `${run.access.name}: ${text}`));
    }
    for (const intent of await neverSucceeded(database)) wrong.push(`no ${intent} has succeeded`);
    for (const task of await stuckTasks(database)) wrong.push(`stuck: ${JSON.stringify(task)}`);
    for (const file of await orphanedFiles(database, dataDir)) wrong.push(`orphaned: ${file}`);
    return wrong;
  } finally {
    await database.close();
  }
}
