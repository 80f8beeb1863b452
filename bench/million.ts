import { openAsBlob } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/support/postgres.ts";
import { writeMillion } from "./million-file.ts";
import { environment, print, type Row } from "./rows.ts";
import { type MeasuredService, startMeasured } from "./service.ts";
import { createTask, isComplete, secondsOf, startTask, type TaskState, taskState } from "./tasks.ts";

/** Measures a file of a million operations, about 1 GiB: whether its end is as fast as its beginning, and the memory. */
const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "1000000" },
    "bytes-per-operation": { type: "string", default: "1050" },
    engine: { type: "string", multiple: true, default: ["postgresql"] },
    json: { type: "boolean", default: false },
  },
});
const operations = Number(values.operations);
/** The file is looked at in ten parts. */
const part = Math.ceil(operations / 10);

type Engine = Row["engine"];

async function measure(engine: Engine): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  const service = await startMeasured(folder, server?.url);
  try {
    const { taskId, uploadSeconds } = await upload(service, join(folder, "million.json"));
    const uploaded = await service.peakBytes();
    await startTask(service, taskId);
    const { parts, task } = await watch(service, taskId);
    const peak = await service.peakBytes();
    return [
      ...parts.map((each, index) => partRow(engine, each, index)),
      wholeRow({ engine, parts, task, peak, uploaded, uploadSeconds }),
    ];
  } finally {
    await service.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the file, uploads it and creates a task of it; neither this process nor the service holds all of it. */
async function upload(
  service: MeasuredService,
  path: string,
): Promise<{ taskId: string; uploadSeconds: number }> {
  await writeMillion(path, operations, Number(values["bytes-per-operation"]));
  progress(`the file has ${((await stat(path)).size / 1024 ** 2).toFixed(0)} MiB`);
  const begun = performance.now();
  const key = await service.upload(await openAsBlob(path));
  const uploadSeconds = (performance.now() - begun) / 1000;
  await rm(path);
  progress(`uploaded in ${uploadSeconds.toFixed(1)} s`);
  return { taskId: await createTask(service, key), uploadSeconds };
}

/** One of the ten parts of the file, executed. */
interface Part {
  rate: number;
  /** The most that the service has held until its end. */
  peakBytes: number;
}

/** Looks at a task until it has ended, and notes when each part of its file was done. */
async function watch(service: MeasuredService, taskId: string): Promise<{ parts: Part[]; task: TaskState }> {
  const parts: Part[] = [];
  let before: Sample | undefined;
  for (;;) {
    const task = await taskState(service, taskId);
    const complete = isComplete(task);
    const now = sample(task);
    before ??= now && { processed: 0, at: Date.parse(task.progress.startedAt as string) };
    const due = Math.min(operations, part * (parts.length + 1));
    if (now && before && now.processed > before.processed && now.processed >= due) {
      const rate = ((now.processed - before.processed) / (now.at - before.at)) * 1000;
      const peakBytes = await service.peakBytes();
      parts.push({ rate, peakBytes });
      progress(`${now.processed} operations, ${Math.round(rate)} a second, peak ${mebibytes(peakBytes)} MiB`);
      before = now;
    }
    if (complete) return { parts, task };
    await delay(50);
  }
}

/** How many operations were committed, and when the last of them was, in milliseconds. */
interface Sample {
  processed: number;
  at: number;
}

function sample({ progress: { processed, updatedAt } }: TaskState): Sample | undefined {
  return updatedAt === null ? undefined : { processed, at: Date.parse(updatedAt) };
}

const nothing = { floor: null, way: null, ratio: null, oneByOne: null, plain: null, firstEntryMs: null };

function partRow(engine: Engine, { rate, peakBytes }: Part, index: number): Row {
  const [before, end] = [part * index, Math.min(operations, part * (index + 1))];
  const run = `${(before + 1).toLocaleString("en")} to ${end.toLocaleString("en")}`;
  const measured = { operations: end - before, rate, peakMiB: mebibytes(peakBytes) };
  return { ...environment(), engine, workload: "million", run, ...nothing, ...measured };
}

interface Whole {
  engine: Engine;
  parts: readonly Part[];
  task: TaskState;
  peak: number;
  uploaded: number;
  uploadSeconds: number;
}

function wholeRow({ engine, parts, task, peak, uploaded, uploadSeconds }: Whole): Row {
  const [first, last] = [parts[0]?.rate ?? 0, parts.at(-1)?.rate ?? 0];
  const figures = {
    "upload, s": uploadSeconds,
    "peak when uploaded, MiB": mebibytes(uploaded),
    "validation, s": (Date.parse(task.progress.startedAt as string) - Date.parse(task.startedAt)) / 1000,
    "last part to first": last / first,
  };
  const measured = { operations, rate: operations / secondsOf(task), peakMiB: mebibytes(peak), figures };
  return { ...environment(), engine, workload: "million", run: "all", ...nothing, ...measured };
}

const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2);

function progress(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}

const rows: Row[] = [];
for (const engine of values.engine) rows.push(...(await measure(engine as Engine)));
print(rows, values.json);
