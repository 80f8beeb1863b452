import type { Connection } from "../floor/connection.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { type Host, openHost } from "../service/host.ts";
import { runFile, undoTask } from "../service/tasks.ts";
import { fileOf, measureTask, type TaskFigures, warmUp } from "../throughput/measure.ts";
import { file, numbers, type Workload } from "../workloads/workload.ts";
import { workloads } from "../workloads/workloads.ts";

export const values = readOptions({
  products: { default: "20000", meaning: "operations of a plan, of its run and of the undo" },
});

const planned = ["upserts", "mixed"] as const;

/** A file's tasks, in order. */
type Tasks = { name: string; kind: "first plan" | "plan" | "run" | "undo"; task: TaskFigures }[];

export async function measure(engine: Engine): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const name of planned)
    rows.push(...(await measureWorkload(engine, workloads[name]!(Number(values.products)))));
  return rows;
}

/** Plans, then runs each file of a workload on an empty database, and undoes the runs in reverse order. */
async function measureWorkload(engine: Engine, workload: Workload): Promise<Measured[]> {
  const host = await openHost(engine, warmUp);
  try {
    await runFile(host.service, file([...workload.start, ...workload.preparation]));
    const files: Tasks[] = [];
    for (const run of workload.runs) files.push(await planAndRun(host, workload, run, files.length === 0));
    for (const file of files.toReversed()) file.push(await undone(host, file));
    return await host.leave((connection) => rowsOf(connection, files));
  } finally {
    await host.close();
  }
}

async function planAndRun(
  host: Host,
  workload: Workload,
  { name: run, operation }: Workload["runs"][number],
  isFirst: boolean,
): Promise<Tasks> {
  const { blob, failures } = fileOf(workload, operation, numbers(0, workload.size));
  const name = `${workload.name} ${run}`;
  const done = (kind: "plan" | "run") => measureTask(host, () => runFile(host.service, blob, failures, kind));
  const tasks: Tasks = [];
  if (isFirst) tasks.push({ name, kind: "first plan", task: await done("plan") });
  tasks.push({ name, kind: "plan", task: await done("plan") });
  tasks.push({ name, kind: "run", task: await done("run") });
  return tasks;
}

async function undone(host: Host, file: Tasks): Promise<Tasks[number]> {
  const { name, task } = runOf(file);
  return { name, kind: "undo", task: await measureTask(host, () => undoTask(host.service, task.taskId)) };
}

function runOf(file: Tasks): Tasks[number] {
  const run = file.find(({ kind }) => kind === "run");
  if (run === undefined) throw new Error("a file was not run");
  return run;
}

async function rowsOf(connection: Connection, files: readonly Tasks[]): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const file of files)
    for (const { name, kind, task } of file) {
      const run = runOf(file).task;
      const figures = {
        ...{ Operations: task.operations, "Operations/s": task.rate },
        ...{ "Service CPU, µs": task.serviceCpuUs, "Database CPU, µs": task.databaseCpuUs },
        "Times the run": task.rate / run.rate,
        "CPU, times the run's": cpuOf(task) / cpuOf(run),
        "Log, bytes per operation": (await logBytes(connection, task.taskId)) / task.operations,
      };
      rows.push({ run: `${name}: ${kind}`, figures });
    }
  return rows;
}

const cpuOf = ({ serviceCpuUs, databaseCpuUs }: TaskFigures): number => serviceCpuUs + (databaseCpuUs ?? 0);

/** Stored bytes of a task's log, compressed, with its before-images. */
async function logBytes(connection: Connection, taskId: string): Promise<number> {
  const [log] = await connection.query<{ bytes: number }>(
    `SELECT (SELECT coalesce(sum(length(entries)), 0) FROM operation_log_blocks WHERE task_id = $1)::int
       + (SELECT coalesce(sum(length(images)), 0) FROM operation_before_images WHERE task_id = $1)::int AS bytes`,
    [taskId],
  );
  return log?.bytes ?? 0;
}
