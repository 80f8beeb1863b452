import type { Connection } from "./floor/connection.ts";
import { readOptions } from "./program/options.ts";
import {
  engineOption,
  enginesOf,
  environment,
  jsonOption,
  print,
  type Row,
  rounded,
} from "./program/rows.ts";
import { type Host, openHost } from "./service/host.ts";
import { runFile, undoTask } from "./service/tasks.ts";
import { fileOf, measureTask, type TaskFigures, warmUp } from "./throughput/measure.ts";
import { file, numbers, type Workload } from "./workloads/workload.ts";
import { workloads } from "./workloads/workloads.ts";

const values = readOptions(
  "bench:plans",
  "Measures a plan of each file of the workloads, the run of the same file, which follows it, and the undo of that.",
  {
    products: { default: "20000", meaning: "operations of a plan, of its run and of the undo" },
    engine: engineOption,
    json: jsonOption,
  },
);

const planned = ["upserts", "mixed"] as const;

/** The tasks of one file, in the order in which they follow each other. */
type Measured = { name: string; kind: "first plan" | "plan" | "run" | "undo"; task: TaskFigures }[];

/** Plans, then runs each file of a workload on an empty database, and undoes the runs, the last one first. */
async function measure(engine: Row["engine"], workload: Workload): Promise<Row[]> {
  const host = await openHost(engine, warmUp);
  try {
    await runFile(host.service, file([...workload.start, ...workload.preparation]));
    const files: Measured[] = [];
    for (const run of workload.runs) files.push(await planAndRun(host, workload, run, files.length === 0));
    for (const file of files.toReversed()) file.push(await undone(host, file));
    return await host.leave((connection) => rowsOf(connection, engine, files));
  } finally {
    await host.close();
  }
}

async function planAndRun(
  host: Host,
  workload: Workload,
  { name: run, operation }: Workload["runs"][number],
  isFirst: boolean,
): Promise<Measured> {
  const { blob, failures } = fileOf(workload, operation, numbers(0, workload.size));
  const name = `${workload.name} ${run}`;
  const done = (kind: "plan" | "run") => measureTask(host, () => runFile(host.service, blob, failures, kind));
  const tasks: Measured = [];
  if (isFirst) tasks.push({ name, kind: "first plan", task: await done("plan") });
  tasks.push({ name, kind: "plan", task: await done("plan") });
  tasks.push({ name, kind: "run", task: await done("run") });
  return tasks;
}

async function undone(host: Host, file: Measured): Promise<Measured[number]> {
  const { name, task } = runOf(file);
  return { name, kind: "undo", task: await measureTask(host, () => undoTask(host.service, task.taskId)) };
}

function runOf(file: Measured): Measured[number] {
  const run = file.find(({ kind }) => kind === "run");
  if (run === undefined) throw new Error("a file was not run");
  return run;
}

async function rowsOf(
  connection: Connection,
  engine: Row["engine"],
  files: readonly Measured[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of files)
    for (const { name, kind, task } of file) {
      const { operations, rate, serviceCpuUs, databaseCpuUs, taskId } = task;
      const run = runOf(file).task;
      const times = `${rounded(rate / run.rate)} of the run`;
      console.error(`${engine}, ${name}, ${kind}: ${Math.round(rate)} operations/s, ${times}`);
      rows.push({
        ...environment(),
        ...{ engine, workload: "plans", run: `${name}: ${kind}`, operations, rate: rounded(rate) },
        ...{ floor: null, way: null, ratio: null, oneByOne: null, plain: null },
        ...{ firstEntryMs: null, peakMiB: null, serviceCpuUs: rounded(serviceCpuUs) },
        databaseCpuUs: databaseCpuUs && rounded(databaseCpuUs),
        figures: {
          "Times the run": rounded(rate / run.rate),
          "CPU, times the run's": rounded(cpuOf(task) / cpuOf(run)),
          "Log, bytes an operation": rounded((await logBytes(connection, taskId)) / operations),
        },
      });
    }
  return rows;
}

const cpuOf = ({ serviceCpuUs, databaseCpuUs }: TaskFigures): number => serviceCpuUs + (databaseCpuUs ?? 0);

/** Bytes of the log of a task as it is stored, compressed, with its before-images. */
async function logBytes(connection: Connection, taskId: string): Promise<number> {
  const [log] = await connection.query<{ bytes: number }>(
    `SELECT (SELECT coalesce(sum(length(entries)), 0) FROM operation_log_blocks WHERE task_id = $1)::int
       + (SELECT coalesce(sum(length(images)), 0) FROM operation_before_images WHERE task_id = $1)::int AS bytes`,
    [taskId],
  );
  return log?.bytes ?? 0;
}

const rows: Row[] = [];
for (const engine of enginesOf(values.engine))
  for (const name of planned)
    rows.push(...(await measure(engine, workloads[name]!(Number(values.products)))));
print(rows, values.json);
