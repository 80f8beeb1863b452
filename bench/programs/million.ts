import { openAsBlob } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { type MeasuredService, withService } from "../service/measured.ts";
import { createTask, isComplete, secondsOf, startTask, type TaskState, taskState } from "../service/tasks.ts";
import { writeMillion } from "../workloads/million-file.ts";

export const values = readOptions({
  engine: { default: ["postgresql"], meaning: "the databases" },
  operations: { default: "1000000", meaning: "operations of the file" },
  "bytes-per-operation": { default: "1050", meaning: "bytes per operation" },
  plan: { default: false, meaning: "plans the file instead of running it" },
});
const operations = Number(values.operations);
/** A tenth of the file. */
const part = Math.ceil(operations / 10);

export async function measure(engine: Engine): Promise<Measured[]> {
  return withService(engine, async (service, { folder }) => {
    const { taskId, uploadSeconds } = await upload(service, join(folder, "million.json"));
    const uploaded = await service.peakBytes();
    await startTask(service, taskId);
    const { samples, task } = await watch(service, taskId);
    const figures = {
      ...{ Operations: operations, "Operations/s": operations / secondsOf(task) },
      "Peak MiB": mebibytes(await service.peakBytes()),
      "Upload, s": uploadSeconds,
      "Peak when uploaded, MiB": mebibytes(uploaded),
      "Validation, s": (Date.parse(task.progress.startedAt!) - Date.parse(task.startedAt)) / 1000,
      "Last tenth to first": rate(samples, operations - part, operations) / rate(samples, 0, part),
    };
    return [{ workload: values.plan ? "planned million" : "million", run: "all", figures }];
  });
}

/** Writes the file, uploads it and creates a task from it; neither this process nor the service holds all of it. */
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

interface Sample {
  /** Committed operations. */
  processed: number;
  /** The time of the last commit, in milliseconds. */
  at: number;
}

/** Polls a task until it has ended. */
async function watch(
  service: MeasuredService,
  taskId: string,
): Promise<{ samples: Sample[]; task: TaskState }> {
  const samples: Sample[] = [];
  for (let told = 0; ; ) {
    const task = await taskState(service, taskId);
    const { processed, startedAt, updatedAt } = task.progress;
    if (startedAt !== null && samples.length === 0) samples.push({ processed: 0, at: Date.parse(startedAt) });
    if (updatedAt !== null && processed > (samples.at(-1)?.processed ?? 0))
      samples.push({ processed, at: Date.parse(updatedAt) });
    if (processed >= told + part) {
      progress(`${processed} operations, peak ${mebibytes(await service.peakBytes())} MiB`);
      told = processed - (processed % part);
    }
    if (isComplete(task)) return { samples, task };
    await delay(50);
  }
}

/** Operations per second of a part of the file. */
function rate(samples: readonly Sample[], from: number, to: number): number {
  return ((to - from) / (passed(samples, to) - passed(samples, from))) * 1000;
}

/** The time at which `count` operations were committed, interpolated between samples. */
function passed(samples: readonly Sample[], count: number): number {
  const index = samples.findIndex(({ processed }) => processed >= count);
  const after = samples[index]!;
  const before = samples[index - 1] ?? after;
  const share = before === after ? 0 : (count - before.processed) / (after.processed - before.processed);
  return before.at + share * (after.at - before.at);
}

const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2);

function progress(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}
