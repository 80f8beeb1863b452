import { openAsBlob } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "../test/support/postgres/postgres.ts";
import { readOptions } from "./program/options.ts";
import { engineOption, enginesOf, environment, jsonOption, print, type Row } from "./program/rows.ts";
import { type MeasuredService, startMeasured } from "./service/measured.ts";
import { createTask, isComplete, secondsOf, startTask, type TaskState, taskState } from "./service/tasks.ts";
import { writeMillion } from "./workloads/million-file.ts";

const values = readOptions(
  "bench:million",
  "Measures a file of a million operations, about 1 GiB: the rate of each tenth, and the peak of memory.",
  {
    operations: { default: "1000000", meaning: "operations of the file" },
    "bytes-per-operation": { default: "1050", meaning: "bytes of each" },
    plan: { default: false, meaning: "plans the file instead of running it" },
    engine: { ...engineOption, default: ["postgresql"] },
    json: jsonOption,
  },
);
const operations = Number(values.operations);
/** The file is looked at in ten parts. */
const part = Math.ceil(operations / 10);

type Engine = Row["engine"];

async function measure(engine: Engine): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  const service = await startMeasured(folder, server?.url, engine);
  try {
    const { taskId, uploadSeconds } = await upload(service, join(folder, "million.json"));
    const uploaded = await service.peakBytes();
    await startTask(service, taskId);
    const { samples, task } = await watch(service, taskId);
    const parts = partsOf(samples);
    const peak = await service.peakBytes();
    return [
      ...parts.map((each) => partRow(engine, each)),
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
  return { taskId: await createTask(service, key, values.plan ? "plan" : "run"), uploadSeconds };
}

/** The progress of a task at one moment. */
interface Sample {
  /** Operations that were committed. */
  processed: number;
  /** When the last of them was, in milliseconds. */
  at: number;
  /** The most that the service has held until then. */
  peakBytes: number;
}

/** Looks at a task until it has ended. */
async function watch(
  service: MeasuredService,
  taskId: string,
): Promise<{ samples: Sample[]; task: TaskState }> {
  const samples: Sample[] = [];
  for (let told = 0; ; ) {
    const task = await taskState(service, taskId);
    const { processed, startedAt, updatedAt } = task.progress;
    const peakBytes = await service.peakBytes();
    if (startedAt !== null && samples.length === 0)
      samples.push({ processed: 0, at: Date.parse(startedAt), peakBytes });
    if (updatedAt !== null && processed > (samples.at(-1)?.processed ?? 0))
      samples.push({ processed, at: Date.parse(updatedAt), peakBytes });
    if (processed >= told + part) {
      progress(`${processed} operations, peak ${mebibytes(peakBytes)} MiB`);
      told = processed - (processed % part);
    }
    if (isComplete(task)) return { samples, task };
    await delay(50);
  }
}

/** One of the ten parts of the file: how fast it was executed, and the most that was held until its end. */
interface Part {
  from: number;
  to: number;
  rate: number;
  peakBytes: number;
}

function partsOf(samples: readonly Sample[]): Part[] {
  return Array.from({ length: Math.ceil(operations / part) }, (_, index) => {
    const [from, to] = [part * index, Math.min(operations, part * (index + 1))];
    const [begun, ended] = [passed(samples, from), passed(samples, to)];
    return { from, to, rate: ((to - from) / (ended.at - begun.at)) * 1000, peakBytes: ended.peakBytes };
  });
}

/** When so many operations were committed, between the samples before and after. */
function passed(samples: readonly Sample[], count: number): Pick<Sample, "at" | "peakBytes"> {
  const index = samples.findIndex(({ processed }) => processed >= count);
  const after = samples[index]!;
  const before = samples[index - 1] ?? after;
  const share = before === after ? 0 : (count - before.processed) / (after.processed - before.processed);
  return { at: before.at + share * (after.at - before.at), peakBytes: after.peakBytes };
}

/** That of plans is not in the tables of docs/benchmarks.md. */
const workload = values.plan ? "planned million" : "million";
const nothing = { floor: null, way: null, ratio: null, oneByOne: null, plain: null, firstEntryMs: null };

function partRow(engine: Engine, { from, to, rate, peakBytes }: Part): Row {
  const run = `${(from + 1).toLocaleString("en")} to ${to.toLocaleString("en")}`;
  const measured = { operations: to - from, rate, peakMiB: mebibytes(peakBytes) };
  return { ...environment(), engine, workload, run, ...nothing, ...measured };
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
    "validation, s": (Date.parse(task.progress.startedAt!) - Date.parse(task.startedAt)) / 1000,
    "last part to first": last / first,
  };
  const measured = { operations, rate: operations / secondsOf(task), peakMiB: mebibytes(peak), figures };
  return { ...environment(), engine, workload, run: "all", ...nothing, ...measured };
}

const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2);

function progress(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}

const rows: Row[] = [];
for (const engine of enginesOf(values.engine)) rows.push(...(await measure(engine)));
print(rows, values.json);
