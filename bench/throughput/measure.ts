import type { TenantClient } from "../../test/support/client.ts";
import type { Connection } from "../floor/connection.ts";
import { measureFloor, measurePlain } from "../floor/floor.ts";
import { addLogRows } from "../floor/log-rows.ts";
import { takeSnapshot } from "../floor/snapshots.ts";
import type { Engine, Measured } from "../program.ts";
import { type Host, openHost } from "../service/host.ts";
import { runFile, type TaskTimes } from "../service/tasks.ts";
import {
  file,
  numbers,
  type Operation,
  preparation,
  references,
  upsertOperation,
  type Workload,
} from "../workloads/workload.ts";
import { literalWords, oneByOne } from "./one-by-one.ts";

/** Operations of the file whose first log entry is awaited. */
const few = 100;
/**
 * Products of a tenant of its own that a new process first writes twice, and how many of them once more as
 * single mutations: until then its code is still being compiled.
 */
const warmingUp = { products: 3_000, singles: 1_000 };
/** The first operation number of each file, so that no two files share an operation. */
const from = { measured: 0, few: 1_000_000, single: 2_000_000 };

/** One before each run as a task, then one before each as single mutations, and one at the end. */
const snapshot = (number: number) => `bench${number}`;

/** A workload's runs, and how its progress is reported. */
interface Measuring {
  host: Host;
  workload: Workload;
  tell: (text: string) => void;
}

export interface TaskFigures {
  taskId: string;
  operations: number;
  rate: number;
  peakBytes: number;
  /** CPU time per operation, in microseconds. */
  serviceCpuUs: number;
  databaseCpuUs: number | null;
}

/**
 * A workload on an empty database: all its runs as tasks, then `singles` operations of each run as single
 * mutations, then the floors and the plain transactions of both. Snapshots in between record what must be
 * written again. With zero `singles` only the tasks are measured.
 */
export async function measureWorkload(
  engine: Engine,
  workload: Workload,
  singles: number,
): Promise<Measured[]> {
  const tell = (text: string) => console.error(`${engine} ${workload.name} ${text}`);
  const host = await openHost(engine, warmUp);
  const measuring = { host, workload, tell };
  try {
    await runFile(host.service, file([...workload.start, ...workload.preparation]));
    const firstEntries = await measureFirstEntries(measuring);
    await host.look(copyTo(measuring, snapshot(0)));
    const tasks = await measureTasks(measuring);
    const compared = singles > 0 ? await measureCompared(measuring, tasks, singles) : undefined;
    const rateOf = (run: string) => tasks[workload.runs.findIndex(({ name }) => name === run)]?.rate;
    return workload.runs.map(({ name }, i) => {
      const { operations, rate, peakBytes, serviceCpuUs, databaseCpuUs } = tasks[i]!;
      const figures = {
        ...{ Operations: operations, "Operations/s": rate },
        ...compared?.[i],
        "Times update": name === "unchanged" ? rate / (rateOf("update") ?? Number.NaN) : null,
        ...{ "First entry, ms": firstEntries[i]!, "Peak MiB": peakBytes / 1024 ** 2 },
        ...{ "Service CPU, µs": serviceCpuUs, "Database CPU, µs": databaseCpuUs },
      };
      return { workload: workload.name, run: name, figures };
    });
  } finally {
    await host.close();
  }
}

/** Measures the baselines of each run: its operations one by one, its floor, and plain transactions. */
async function measureCompared(
  measuring: Measuring,
  tasks: readonly TaskFigures[],
  singles: number,
): Promise<Measured["figures"][]> {
  const single = await measureSingles(measuring, singles);
  const floors = await measuring.host.leave((connection) => measureFloors(connection, measuring, tasks));
  return floors.map(({ floor, plain }, i) => {
    const { rate } = tasks[i]!;
    return {
      ...{ "Floor/s": floor, "Of floor": rate / floor },
      ...{ "One by one/s": single[i]!, "Times one by one": rate / single[i]! },
      ...{ "Plain transactions/s": plain, "One by one of plain": plain && single[i]! / plain },
    };
  });
}

const copyTo =
  ({ host }: Pick<Measuring, "host">, name: string, taskId: string | null = null) =>
  (connection: Connection) =>
    takeSnapshot(connection, name, { tenantId: host.service.access.tenant.id, taskId });

/** Executes a tenant's files and mutations until a new process has compiled its code. */
export async function warmUp(client: TenantClient): Promise<void> {
  const upserts = (round: number, count: number, words = references) =>
    numbers(0, count).map((number) => upsertOperation(number, round, words));
  const { products, singles } = warmingUp;
  await runFile(client, file([...preparation, ...upserts(0, products), ...upserts(1, products)]));
  const words = await literalWords(client, folderOf(preparation));
  await oneByOne(client, upserts(2, singles, words), 0);
}

/** The resource identifier of the folder that contains everything. */
const folderOf = (start: readonly Operation[]) => String(start.at(-1)?.resourceIdentifier);

/** A run's file with `count` operations, and how many of them will fail. */
export function fileOf(
  { start, fails }: Workload,
  operation: Workload["runs"][number]["operation"],
  range: number[],
) {
  const operations = range.map((number) => operation(number, references));
  return { blob: file([...start, ...operations]), failures: range.filter(fails).length };
}

async function measureFirstEntries({ host, workload }: Measuring): Promise<number[]> {
  const milliseconds: number[] = [];
  const range = numbers(from.few, few - workload.start.length);
  for (const { operation } of workload.runs) {
    const { blob, failures } = fileOf(workload, operation, range);
    milliseconds.push((await runFile(host.service, blob, failures)).firstEntry);
  }
  return milliseconds;
}

async function measureTasks({ host, workload, tell }: Measuring): Promise<TaskFigures[]> {
  const figures: TaskFigures[] = [];
  for (const [i, { name, operation }] of workload.runs.entries()) {
    const { blob, failures } = fileOf(workload, operation, numbers(from.measured, workload.size));
    const measured = await measureTask(host, () => runFile(host.service, blob, failures));
    figures.push(measured);
    tell(`${name}: ${Math.round(measured.rate)} operations/s`);
    await host.look(copyTo({ host }, snapshot(i + 1), measured.taskId));
  }
  return figures;
}

export async function measureTask(host: Host, task: () => Promise<TaskTimes>): Promise<TaskFigures> {
  const before = await cpuOf(host);
  const { taskId, operations, seconds } = await task();
  const after = await cpuOf(host);
  return {
    ...{ taskId, operations, rate: operations / seconds, peakBytes: await host.service.peakBytes() },
    serviceCpuUs: (1_000 * (after.service - before.service)) / operations,
    databaseCpuUs:
      after.database === null ? null : (1_000 * (after.database - (before.database ?? 0))) / operations,
  };
}

/** CPU time so far, in milliseconds of one core. */
export const cpuOf = async (host: Host) => ({
  service: await host.service.cpuMs(),
  database: await host.databaseCpuMs(),
});

async function measureSingles({ host, workload, tell }: Measuring, count: number): Promise<number[]> {
  const rates: number[] = [];
  const range = numbers(from.single, count);
  for (const [i, { name, operation }] of workload.runs.entries()) {
    const words = await literalWords(host.service, folderOf(workload.start));
    const operations: Operation[] = range.map((number) => operation(number, words));
    const rate = await oneByOne(host.service, operations, range.filter(workload.fails).length);
    rates.push(rate);
    tell(`${name}: ${Math.round(rate)} mutations/s one by one`);
    const look = i + 1 < workload.runs.length ? host.look : host.leave;
    await look(copyTo({ host }, snapshot(workload.runs.length + i + 1)));
  }
  return rates;
}

interface Floors {
  floor: number;
  plain: number | null;
}

/** The floor of each run, and its plain transactions, in operations per second. */
async function measureFloors(
  connection: Connection,
  { workload, tell }: Measuring,
  tasks: readonly TaskFigures[],
): Promise<Floors[]> {
  const floors: Floors[] = [];
  await addLogRows(
    connection,
    workload.runs.map((_, i) => snapshot(i + 1)),
  );
  for (const [i, { name }] of workload.runs.entries()) {
    const single = workload.runs.length + i;
    const task = { before: snapshot(i), after: snapshot(i + 1), operations: tasks[i]!.operations };
    const { rate: floor, way } = await measureFloor(connection, task);
    const plain = await measurePlain(connection, snapshot(single), snapshot(single + 1));
    tell(`${name}: floor ${Math.round(floor)} (${way}), ${Math.round(plain ?? 0)} plain transactions/s`);
    floors.push({ floor, plain });
  }
  return floors;
}
