import type { Workload } from "../../bench/workloads/workload.ts";
import { numbers, references } from "../../bench/workloads/workload.ts";
import { workloads } from "../../bench/workloads/workloads.ts";
import { type RunnerTelemetry, silentTelemetry } from "../../packages/service/src/runner/telemetry.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import { allocatedBy } from "./allocated.ts";
import { watchBatches } from "./watched.ts";
import { writtenToLog } from "./written-to-log.ts";

/** The costs of running a file, in anything but time. */
export interface Costs {
  batches: number;
  /** Of all batches together. */
  statements: number;
  /** For one operation each: sent to the database, written by it to its log, allocated in this thread. */
  sentBytes: number;
  walBytes: number | null;
  allocatedBytes: number;
}

/** Products of each workload; fewer until all code has been compiled, which allocates too. */
const sizes = { first: 100, measured: 500 };
/** Long enough for nothing to happen because of the time that has passed. */
const never = 3_600_000;

/** Runs every workload with the real runner; returns the cost of each run by name. */
export async function measureCosts(open: () => Promise<Database>): Promise<Record<string, Costs>> {
  const bench = await openRunnerBench(open);
  try {
    await runAll(bench, sizes.first);
    return await runAll(bench, sizes.measured);
  } finally {
    await bench.close();
  }
}

async function runAll(bench: RunnerBench, products: number): Promise<Record<string, Costs>> {
  const costs: Record<string, Costs> = {};
  for (const make of Object.values(workloads)) {
    const { name, start, preparation, size, runs, fails } = make(products);
    const tenant = await bench.newTenant();
    if (preparation.length > 0) await run(bench, tenant, [...start, ...preparation], 0);
    const failures = numbers(0, size).filter(fails).length;
    for (const each of runs) {
      const operations = numbers(0, size).map((number) => each.operation(number, references));
      costs[`${name}, ${each.name}`] = await run(bench, tenant, [...start, ...operations], failures);
    }
  }
  return costs;
}

/** Runs one file from the creation of its task to its end; expects `failures` failed operations. */
async function run(
  bench: RunnerBench,
  tenant: Tenant,
  operations: Workload["start"],
  failures: number,
): Promise<Costs> {
  const key = await bench.upload(operations, tenant);
  const { database, asked } = watchBatches(withoutStatistics(bench.database));
  const { telemetry, executed } = untilExecuted();
  await bench.runner({ database, telemetry, lease: never, turn: never, slots: 1 });
  const before = await writtenToLog(bench.database);
  let id = "";
  const allocated = await atOneInstant(() =>
    allocatedBy(async () => {
      ({ id } = await createTask(bench, tenant, { key, autoStart: true }));
      await executed;
    }),
  );
  const after = await writtenToLog(bench.database);
  const { status, progress } = await bench.ended(id, tenant);
  await bench.stopRunners();
  if (status !== "complete" || progress.failed !== failures)
    throw new Error(`${progress.failed} of ${progress.processed} operations failed, status ${status}`);
  const each = (bytes: number) => Math.round(bytes / operations.length);
  return {
    batches: asked.batches,
    statements: asked.statements,
    sentBytes: each(asked.sentBytes),
    walBytes: before === null || after === null ? null : each(after - before),
    allocatedBytes: each(allocated),
  };
}

/** A database without background renewal of statistics, whose number in a run depends on how long the run takes. */
const withoutStatistics = (database: Database): Database => ({
  ...database,
  execute: async (sql, parameters) => (sql.startsWith("ANALYZE") ? 0 : database.execute(sql, parameters)),
});

/** Settles when the runner has executed a task, or failed to, without polling. */
function untilExecuted(): { telemetry: RunnerTelemetry; executed: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const task: RunnerTelemetry["task"] = (claimed) => ({
    ...silentTelemetry.task(claimed),
    end: (error) => {
      if (error !== undefined) reject(error);
      else if (claimed.status === "running") resolve();
    },
  });
  return { telemetry: { task }, executed: promise };
}

/** With a stopped clock, so no batch ends because of its duration. */
async function atOneInstant<Result>(work: () => Promise<Result>): Promise<Result> {
  const now = performance.now();
  Object.defineProperty(performance, "now", { value: () => now, configurable: true });
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(performance, "now");
  }
}
