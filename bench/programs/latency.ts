import { setTimeout as delay } from "node:timers/promises";
import type { TenantClient } from "../../test/support/client.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { withService } from "../service/measured.ts";
import { createTask, isComplete, runFile, secondsOf, startTask, taskState } from "../service/tasks.ts";
import { preparation, productFile } from "../workloads/workload.ts";

export const values = readOptions({
  operations: { default: "20000", meaning: "operations of the large task" },
  tasks: { default: "30", meaning: "small tasks" },
});
const small = 100;

export async function measure(engine: Engine): Promise<Measured[]> {
  return withService(engine, async (service) => {
    return [row("start of a task", await firstEntries(service)), row("large task", await entries(service))];
  });
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
    // Read first, so that the next page has all entries of what is complete.
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

function row(run: string, { operations, rate, delays }: Delays): Measured {
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (fraction: number) => sorted[Math.floor(fraction * (sorted.length - 1))]!;
  return {
    run,
    figures: {
      ...{ Operations: operations, "Operations/s": rate, Times: delays.length },
      ...{ "Median, ms": at(0.5), "99 of 100 within, ms": at(0.99), "Longest, ms": at(1) },
    },
  };
}
