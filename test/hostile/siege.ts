import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createTenant, tenantClient } from "../support/client.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import type { Attack } from "./attack.ts";
import { attackerOf } from "./attacker.ts";
import type { NeighbourOptions, Sample } from "./neighbour.ts";

export type Engine = "postgresql" | "pglite";

/** The delays that a well-behaved tenant may notice, in milliseconds, and the memory of the process, in bytes. */
const limits: Record<Engine, { query: number; task: number; memory: number }> = {
  postgresql: { query: 1_000, task: 5_000, memory: 1024 ** 3 },
  // The embedded database's memory is reported without a limit, since it is in the same process.
  pglite: { query: 3_000, task: 10_000, memory: Number.POSITIVE_INFINITY },
};

/** Beyond this the service is killed, before it takes the machine down. */
const mostMemory = 4 * 1024 ** 3;
/** Maximum time for work in progress to end after an attack, in milliseconds. */
const patience = 30_000;
/** Minimum time to watch an attack, in milliseconds: most stalls come from the work it leaves. */
const leastWatch = 3_000;

export interface Figures {
  attack: string;
  engine: Engine;
  /** In milliseconds, of how many. */
  slowestQuery: number;
  queries: number;
  slowestTask: number;
  tasks: number;
  /** The longest stall of the event loop, in milliseconds. */
  stall: number;
  /** Resident memory of the process, in bytes. */
  peak: number;
  seconds: number;
  /** In a few words: how the service answered. */
  outcome: string;
  /** The figures beyond their limits, which a slow machine adds to. */
  beyond: string[];
  /** Failures, which no machine excuses. */
  wrong: string[];
}

export interface SiegeOptions {
  engine: Engine;
  /** Of an empty database, where the engine is PostgreSQL. */
  databaseUrl?: string | undefined;
  seconds: number;
  /** A folder for a CPU profile of the service, to see where the time goes. */
  profile?: string | undefined;
}

/** The limit of requests as in production. Logged defects and interruptions are the subject of the crash suite. */
const settings = { LADING_RATE_LIMIT: "6000", LADING_LOG_LEVEL: "silent" };

/** Starts a service that one tenant attacks while a well-behaved one is measured. */
export async function besiege(attack: Attack, options: SiegeOptions): Promise<Figures> {
  const dataDir = await mkdtemp(join(tmpdir(), "lading-hostile-"));
  const { databaseUrl, profile } = options;
  const profiled = profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` };
  const service = await startServiceProcess(dataDir, databaseUrl, {
    ...settings,
    ...profiled,
    ...(databaseUrl === undefined && { LADING_ENGINE: options.engine }),
  });
  try {
    const figures = await underAttack(service, attack, options);
    // A profile is written at the end of the process.
    if (profile) await service.stop();
    return figures;
  } catch (error) {
    throw new Error(`${attack.name} on ${options.engine} was not to be measured`, { cause: error });
  } finally {
    if (service.process.exitCode === null && service.process.signalCode === null) await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function underAttack(
  service: ServiceProcess,
  attack: Attack,
  { engine, seconds }: SiegeOptions,
): Promise<Figures> {
  const { url, operatorToken } = service;
  const [mine, theirs] = [
    await createTenant(url, operatorToken, "attacker"),
    await createTenant(url, operatorToken, "neighbour"),
  ];
  const over = new AbortController();
  const attacker = attackerOf(url, tenantClient(url, "attacker", mine), over.signal);
  await attack.prepare?.(attacker);
  const memory = watchMemory(service);
  const neighbour = startNeighbour({ url, identifier: "neighbour", access: theirs });
  await neighbour.first;
  await service.longestStall();
  neighbour.forget();
  const began = performance.now();
  const end = setTimeout(() => over.abort(), seconds * 1_000);
  const outcome = brief(
    await attack.run(attacker).catch((error: Error) => String(error.cause ?? error.message)),
  );
  clearTimeout(end);
  await delay(Math.max(0, leastWatch - (performance.now() - began)));
  over.abort();
  const measured = await neighbour.stop();
  const alive = service.process.exitCode === null && service.process.signalCode === null;
  const stall = alive ? await service.longestStall() : 0;
  const figures = {
    ...{ attack: attack.name, engine, ...measured, stall, peak: memory.stop() },
    ...{ seconds: (performance.now() - began) / 1_000, outcome },
  };
  const died = alive ? [] : [`the service ended (${service.process.signalCode ?? service.process.exitCode})`];
  const failed = new Set(measured.failures.map((failure) => brief(`neighbour: ${failure}`)));
  return { ...figures, beyond: beyondLimits(figures), wrong: [...died, ...failed] };
}

function beyondLimits({
  engine,
  slowestQuery,
  slowestTask,
  peak,
}: Omit<Figures, "beyond" | "wrong">): string[] {
  const { query, task, memory } = limits[engine];
  return [
    ...(slowestQuery > query ? ["queries"] : []),
    ...(slowestTask > task ? ["tasks"] : []),
    ...(peak > memory ? ["memory"] : []),
  ];
}

const brief = (text: string) => (text.length > 120 ? `${text.slice(0, 120)} …` : text);

/** Samples the peak of the process's resident memory, and kills it when it takes too much. */
function watchMemory({ process: child }: ServiceProcess) {
  let peak = 0;
  const sample = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
    if (peak > mostMemory) child.kill("SIGKILL");
  };
  const interval = setInterval(sample, 200);
  return {
    stop() {
      clearInterval(interval);
      return peak;
    },
  };
}

/** Starts the other tenant in a thread of its own. */
function startNeighbour(options: NeighbourOptions) {
  let samples: Sample[] = [];
  const worker = new Worker(new URL("./neighbour.ts", import.meta.url), { workerData: options });
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const ended = new Promise<void>((resolve, reject) =>
    worker.once("exit", () => resolve()).once("error", reject),
  );
  worker.on("message", (sample: Sample) => {
    samples.push(sample);
    if (sample.what === "task") resolve();
  });
  const forget = () => {
    samples = [];
  };
  const stop = async () => {
    worker.postMessage("stop");
    const asked = performance.now();
    const late = new AbortController();
    await Promise.race([ended, delay(patience, undefined, { signal: late.signal })]);
    late.abort();
    const waited = performance.now() - asked;
    if (waited >= patience) {
      samples.push({ what: "query", ms: waited, failure: "did not end" });
      await worker.terminate();
    }
    return measuredOf(samples);
  };
  return { first: Promise.race([first, ended]), forget, stop };
}

function measuredOf(samples: readonly Sample[]) {
  const of = (what: Sample["what"]) => samples.filter((sample) => sample.what === what).map(({ ms }) => ms);
  const [queries, tasks] = [of("query"), of("task")];
  return {
    ...{ slowestQuery: Math.max(0, ...queries), queries: queries.length },
    ...{ slowestTask: Math.max(0, ...tasks), tasks: tasks.length },
    failures: samples.flatMap(({ failure }) => (failure === null ? [] : [failure])),
  };
}
