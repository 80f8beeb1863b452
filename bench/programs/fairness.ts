import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TenantClient } from "../../test/support/client.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { openShared, type SharedService } from "../service/fleet.ts";
import { createTask, isComplete, startTask, taskState } from "../service/tasks.ts";
import { writeMillion } from "../workloads/million-file.ts";
import { preparation, productFile } from "../workloads/workload.ts";

export const values = readOptions({
  tenants: { default: "3", meaning: "tenants whose files the small tasks compete with" },
  operations: { default: "1000000", meaning: "operations of each of their files" },
  runners: { default: "2", meaning: "runners on PostgreSQL; an embedded database has one process" },
  small: { default: "10", meaning: "operations of a small task" },
  times: { default: "5", meaning: "small tasks of each kind" },
});
const small = Number(values.small);

export async function measure(engine: Engine): Promise<Measured[]> {
  const service = await openShared(engine, Number(values.runners));
  try {
    const client = await service.tenant("small");
    const run = smallTasks(client);
    await run();
    const idle = await series(run);
    const larges = await prepareLarge(service);
    await Promise.all(larges.map(({ client, id }) => startTask(client, id)));
    const validation = await series(run);
    if (!(await are(larges, ({ status }) => status === "started")))
      throw new Error("a file was read before the small tasks had ended: give it more operations");
    await until(larges, ({ progress }) => progress.processed > 0);
    const execution = await series(run);
    if (!(await are(larges, ({ status }) => status === "running")))
      throw new Error("a large task ended before the small ones: give it more operations");
    await Promise.all(larges.map(cancel));
    return [
      row("nothing", idle, idle),
      row("files are read", validation, idle),
      row("files are executed", execution, idle),
    ];
  } finally {
    await service.close();
  }
}

/**
 * Returns a function that runs the next small task and returns its time. Each writes the products with new
 * values.
 */
function smallTasks(client: TenantClient): () => Promise<number> {
  let round = 0;
  return async () => {
    const id = await createTask(
      client,
      await client.upload(productFile(small - preparation.length, round++)),
    );
    const began = performance.now();
    await startTask(client, id);
    while (!isComplete(await taskState(client, id))) await delay(5);
    return performance.now() - began;
  };
}

async function series(run: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < Number(values.times); i++) times.push(await run());
  console.error(times.map((ms) => `${Math.round(ms)} ms`).join(", "));
  return times;
}

interface Large {
  client: TenantClient;
  id: string;
}

/** Writes the large file once and uploads it for each tenant, never all of it in memory. */
async function prepareLarge(service: SharedService): Promise<Large[]> {
  const path = join(service.folder, "large.json");
  await writeMillion(path, Number(values.operations), 0);
  const larges: Large[] = [];
  for (let n = 0; n < Number(values.tenants); n++) {
    const client = await service.tenant(`large-${n}`);
    larges.push({ client, id: await createTask(client, await client.upload(await openAsBlob(path))) });
  }
  console.error(`uploaded ${larges.length} files of ${values.operations} operations`);
  return larges;
}

type State = Awaited<ReturnType<typeof taskState>>;

async function are(larges: readonly Large[], wanted: (task: State) => boolean): Promise<boolean> {
  const states = await Promise.all(larges.map(({ client, id }) => taskState(client, id)));
  for (const state of states) isComplete(state); // throws for a failed one
  return states.every(wanted);
}

async function until(larges: readonly Large[], wanted: (task: State) => boolean): Promise<void> {
  while (!(await are(larges, wanted))) await delay(200);
}

async function cancel({ client, id }: Large): Promise<void> {
  await client.graphql(
    `mutation ($id: ID!) { cancelMassOperationBulkTask(id: $id) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    { id },
  );
}

function row(run: string, ms: number[], idle: number[]): Measured {
  const longest = Math.max(...ms);
  const figures = { "Median, ms": median(ms), "Longest, ms": longest };
  return { run, figures: { ...figures, "Longest, times idle": longest / median(idle) } };
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
