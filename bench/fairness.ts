import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TenantClient } from "../test/support/client.ts";
import { readOptions } from "./program/options.ts";
import { engineOption, enginesOf, environment, jsonOption, type Row, rounded } from "./program/rows.ts";
import { openShared, type SharedService } from "./service/fleet.ts";
import { createTask, isComplete, startTask, taskState } from "./service/tasks.ts";
import { writeMillion } from "./workloads/million-file.ts";
import { preparation, productFile } from "./workloads/workload.ts";

const values = readOptions(
  "bench:fairness",
  "Measures how long a few operations of one tenant take while others have millions of them: read, and executed.",
  {
    tenants: { default: "3", meaning: "tenants whose files the small tasks compete with" },
    operations: { default: "1000000", meaning: "operations of each of their files" },
    runners: { default: "2", meaning: "runners on PostgreSQL; an embedded database has one process" },
    small: { default: "10", meaning: "operations of a small task" },
    times: { default: "5", meaning: "small tasks of each kind" },
    engine: engineOption,
    json: jsonOption,
  },
);
const small = Number(values.small);

/** The bound of the small task beside the others: a multiple of its time on an idle service, and milliseconds. */
const budget = { times: 5, ms: 10_000 };

/** Times of the small task, from its start to its end as its tenant sees it, in milliseconds. */
interface Measured extends Pick<Row, "date" | "node" | "machine" | "engine"> {
  others: "nothing" | "validation" | "execution";
  ms: number[];
  median: number;
  most: number;
  /** The median and the most, by the median on the idle service. */
  medianFactor: number;
  mostFactor: number;
  within: boolean;
}

async function measure(engine: Row["engine"]): Promise<Measured[]> {
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
    return (["nothing", "validation", "execution"] as const).map((others, i) =>
      row(engine, others, [idle, validation, execution][i]!, idle),
    );
  } finally {
    await service.close();
  }
}

/** Makes a function that runs the next small task and returns its time. Each writes the products with new values. */
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
  console.error(`${larges.length} files of ${values.operations} operations are uploaded`);
  return larges;
}

type State = Awaited<ReturnType<typeof taskState>>;

async function are(larges: readonly Large[], wanted: (task: State) => boolean): Promise<boolean> {
  const states = await Promise.all(larges.map(({ client, id }) => taskState(client, id)));
  for (const state of states) isComplete(state); // throws for one that failed
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

function row(engine: Row["engine"], others: Measured["others"], ms: number[], idle: number[]): Measured {
  const most = Math.max(...ms);
  const [medianFactor, mostFactor] = [median(ms), most].map((each) => rounded(each / median(idle)));
  return {
    ...environment(),
    ...{ engine, others, ms: ms.map(rounded), median: rounded(median(ms)), most: rounded(most) },
    medianFactor: medianFactor!,
    mostFactor: mostFactor!,
    within: most <= Math.min(budget.ms, budget.times * median(idle)),
  };
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const rows: Measured[] = [];
for (const engine of enginesOf(values.engine)) rows.push(...(await measure(engine)));
if (values.json) console.log(JSON.stringify(rows, null, 2));
else
  console.table(
    rows.map(({ date: _, node: __, machine: ___, ms, ...rest }) => ({ ...rest, ms: ms.join(", ") })),
  );
