import { setTimeout as delay } from "node:timers/promises";
import type { TenantClient } from "../test/support/client.ts";
import { readOptions } from "./program/options.ts";
import { engineOption, enginesOf, environment, jsonOption, print, type Row } from "./program/rows.ts";
import { openShared, type SharedService } from "./service/fleet.ts";
import { createTask, isComplete, secondsOf, startTask, type TaskState, taskState } from "./service/tasks.ts";
import { preparation, productFile } from "./workloads/workload.ts";

const values = readOptions(
  "bench:tenants",
  "Measures several tenants at a time beside one alone: an API and two runners on PostgreSQL, one process on the others.",
  {
    operations: { default: "20000", meaning: "operations of each tenant" },
    tenants: { default: "4", meaning: "tenants at a time" },
    engine: engineOption,
    json: jsonOption,
  },
);
const operations = Number(values.operations);

type Engine = Row["engine"];

async function measure(engine: Engine): Promise<Row[]> {
  const service = await openShared(engine);
  try {
    const alone = await together(service, ["alone"]);
    const many = Array.from({ length: Number(values.tenants) }, (_, i) => `tenant-${i}`);
    const all = await together(service, many);
    return [row(engine, "one tenant", alone, alone), row(engine, `${many.length} tenants`, all, alone)];
  } finally {
    await service.close();
  }
}

interface Together {
  operations: number;
  /** From the first start to the last end. */
  rate: number;
  /** Of each tenant, from its start to its end. */
  rates: number[];
}

/** Every tenant of these creates products, all at the same time. */
async function together(service: SharedService, identifiers: readonly string[]): Promise<Together> {
  const file = productFile(operations - preparation.length, 0);
  const tasks: { client: TenantClient; id: string }[] = [];
  for (const identifier of identifiers) {
    const client = await service.tenant(identifier);
    tasks.push({ client, id: await createTask(client, await client.upload(file)) });
  }
  await Promise.all(tasks.map(({ client, id }) => startTask(client, id)));
  const ended = await Promise.all(tasks.map(({ client, id }) => end(client, id)));
  const first = Math.min(...ended.map(({ startedAt }) => Date.parse(startedAt)));
  const last = Math.max(...ended.map(({ endedAt }) => Date.parse(endedAt!)));
  const total = operations * ended.length;
  const rates = ended.map((task) => operations / secondsOf(task));
  return { operations: total, rate: (total / (last - first)) * 1000, rates };
}

async function end(client: TenantClient, id: string): Promise<TaskState> {
  for (;;) {
    const task = await taskState(client, id);
    if (isComplete(task)) return task;
    await delay(100);
  }
}

function row(engine: Engine, run: string, measured: Together, alone: Together): Row {
  const { operations: total, rate, rates } = measured;
  console.error(`${engine}, ${run}: ${Math.round(rate)} operations/s`);
  const figures = { "times one tenant": rate / alone.rate, "slowest tenant, ops/s": Math.min(...rates) };
  const nothing = { floor: null, way: null, ratio: null, oneByOne: null, plain: null, firstEntryMs: null };
  const numbers = { operations: total, rate, peakMiB: null, figures };
  return { ...environment(), engine, workload: "tenants", run, ...nothing, ...numbers };
}

const rows: Row[] = [];
for (const engine of enginesOf(values.engine)) rows.push(...(await measure(engine)));
print(rows, values.json);
