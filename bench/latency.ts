import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TenantClient } from "../test/support/client.ts";
import { startPostgres } from "../test/support/postgres/postgres.ts";
import { readOptions } from "./program/options.ts";
import { engineOption, enginesOf, environment, jsonOption, print, type Row } from "./program/rows.ts";
import { startMeasured } from "./service/measured.ts";
import { createTask, isComplete, runFile, secondsOf, startTask, taskState } from "./service/tasks.ts";
import { preparation, productFile } from "./workloads/workload.ts";

const values = readOptions(
  "bench:latency",
  "Measures how soon a client sees progress: the first entry of a small task, and every entry of a large one.",
  {
    operations: { default: "20000", meaning: "operations of the large task" },
    tasks: { default: "30", meaning: "small tasks" },
    engine: engineOption,
    json: jsonOption,
  },
);
const small = 100;

type Engine = Row["engine"];

async function measure(engine: Engine): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  const service = await startMeasured(folder, server?.url, engine);
  try {
    return [
      row(engine, "start of a task", await firstEntries(service)),
      row(engine, "large task", await entries(service)),
    ];
  } finally {
    await service.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Delays {
  operations: number;
  rate: number | null;
  /** Milliseconds. */
  delays: readonly number[];
}

/** Times from the start of a small task until a client sees its first entry, one task after another. */
async function firstEntries(service: TenantClient): Promise<Delays> {
  const delays: number[] = [];
  for (let round = 0; round < Number(values.tasks); round++) {
    const { firstEntry } = await runFile(service, productFile(small - preparation.length, round));
    delays.push(firstEntry);
  }
  return { operations: small, rate: null, delays };
}

/** Times from the end of each operation of a large task until a polling client sees its entry. */
async function entries(service: TenantClient): Promise<Delays> {
  const operations = Number(values.operations);
  const id = await createTask(service, await service.upload(productFile(operations - preparation.length, 0)));
  await startTask(service, id);
  const delays: number[] = [];
  for (let after = ""; ; ) {
    // Asked for first: what is complete then has all of its entries in the page that follows.
    const task = await taskState(service, id);
    const { edges, pageInfo } = await logAfter(service, id, after);
    const seenAt = Date.now();
    for (const { node } of edges) delays.push(seenAt - (Date.parse(node.startedAt) + node.durationMs));
    after = pageInfo.endCursor ?? after;
    if (pageInfo.hasNextPage) continue;
    if (isComplete(task)) return { operations, rate: operations / secondsOf(task), delays };
    await delay(5);
  }
}

interface LogPage {
  edges: { node: { startedAt: string; durationMs: number } }[];
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
}

async function logAfter(service: TenantClient, id: string, after: string): Promise<LogPage> {
  const { operationLogs } = await service.graphql<{ operationLogs: LogPage }>(
    `query ($id: ID!, $after: String) { operationLogs(filter: {operationId: $id}, first: 1000, after: $after) {
       edges { node { startedAt durationMs } } pageInfo { endCursor hasNextPage } } }`,
    { id, after },
  );
  return operationLogs;
}

function row(engine: Engine, run: string, { operations, rate, delays }: Delays): Row {
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (fraction: number) => Math.round(sorted[Math.floor(fraction * (sorted.length - 1))]!);
  console.error(`${engine}, ${run}: ${delays.length} times, median ${at(0.5)} ms, longest ${at(1)} ms`);
  const figures = {
    times: delays.length,
    "median, ms": at(0.5),
    "99 of 100 within, ms": at(0.99),
    "longest, ms": at(1),
  };
  const nothing = { floor: null, way: null, ratio: null, oneByOne: null, plain: null };
  const measured = { operations, rate, firstEntryMs: null, peakMiB: null, figures };
  return { ...environment(), engine, workload: "latency", run, ...nothing, ...measured };
}

const rows: Row[] = [];
for (const engine of enginesOf(values.engine)) rows.push(...(await measure(engine)));
print(rows, values.json);
