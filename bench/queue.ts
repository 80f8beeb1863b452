import { setTimeout as delay } from "node:timers/promises";
import type { TenantClient } from "../test/support/client.ts";
import { readOptions } from "./program/options.ts";
import { engineOption, enginesOf, type Row } from "./program/rows.ts";
import { openShared, type SharedService } from "./service/fleet.ts";
import { createTask, isComplete, startTask, taskState } from "./service/tasks.ts";

const values = readOptions(
  "bench:queue",
  "Measures the time of a task of one operation, from its start to its end as its tenant sees it, while another\n" +
    "tenant has many such tasks, and the rate at which those are run. PostgreSQL has one runner.",
  {
    tasks: { default: "10000", meaning: "tasks that wait" },
    times: { default: "20", meaning: "tasks whose time is measured" },
    engine: engineOption,
  },
);

const file = JSON.stringify({
  version: "1.0.0",
  operations: [{ intent: "customer/group/upsert", identifier: "group", name: "Group" }],
});
/** Starts at a time. */
const atOnce = 8;

async function measure(engine: Row["engine"]): Promise<object> {
  const service = await openShared(engine, 1);
  try {
    const client = await service.tenant("small");
    const key = await client.upload(new Blob([file]));
    await series(client, key);
    const idle = await series(client, key);
    const queue = await fill(service);
    const queued = await series(client, key);
    const before = await endedOf(queue);
    await delay(5_000);
    const ended = await endedOf(queue);
    if (ended === Number(values.tasks)) throw new Error("the queue was empty too soon: give it more tasks");
    const inQueue = { waiting: Number(values.tasks) - ended, perSecond: (ended - before) / 5 };
    return { engine, idleMs: median(idle), queuedMs: median(queued), most: Math.max(...queued), ...inQueue };
  } finally {
    await service.close();
  }
}

/** A tenant that has started many tasks. */
async function fill(service: SharedService): Promise<TenantClient> {
  const client = await service.tenant("many");
  const key = await client.upload(new Blob([file]));
  const ids: string[] = [];
  const each = (work: () => Promise<void>) => Promise.all(Array.from({ length: atOnce }, work));
  let left = Number(values.tasks);
  await each(async () => {
    while (left-- > 0) ids.push(await createTask(client, key));
  });
  await each(async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) await startTask(client, id);
  });
  return client;
}

async function endedOf(client: TenantClient): Promise<number> {
  const { bulkTasks } = await client.graphql<{ bulkTasks: { totalCount: number } }>(
    "{ bulkTasks(filter: {status: complete}, first: 1) { totalCount } }",
  );
  return bulkTasks.totalCount;
}

async function series(client: TenantClient, key: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < Number(values.times); i++) {
    const id = await createTask(client, key);
    const began = performance.now();
    await startTask(client, id);
    while (!isComplete(await taskState(client, id))) await delay(5);
    times.push(Math.round(performance.now() - began));
  }
  return times;
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

for (const engine of enginesOf(values.engine)) console.log(await measure(engine));
