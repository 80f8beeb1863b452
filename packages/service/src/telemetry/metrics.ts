import { Counter, Gauge, Histogram, Registry } from "@prometheus-io/client";
import type { MetricsSource } from "../http/metrics.ts";
import { countTasks } from "../storage/bulk-tasks/count.ts";
import type { Database } from "../storage/database.ts";
import { countPending } from "../storage/webhooks/events.ts";
import { versionAndCommit } from "../system/version.ts";
import type { DeliveryOptions } from "../webhooks/deliveries.ts";
import { openMetricsText } from "./open-metrics-text.ts";

export interface Metrics extends MetricsSource {
  readonly operations: Counter<"intent" | "status">;
  readonly batchOperations: Histogram;
  readonly batchSeconds: Histogram;
  readonly retries: Counter<"reason">;
  readonly interruptions: Counter;
  readonly imageSeconds: Histogram<"outcome">;
  readonly imageBytes: Counter;
  readonly webhookSeconds: Histogram<"outcome">;
}

const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Makes the metrics of one service; nothing is shared with others in the process. */
export function openMetrics(database: Database): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const [tasks, webhooks] = [taskGauges(registers), webhookGauges(registers)];
  processGauges(registers);
  connectionGauges(registers, database);
  const requests = requestSeconds(registers);
  return {
    ...batchMetrics(registers),
    ...imageMetrics(registers),
    ...webhookMetrics(registers),
    observeRequest: (labels, seconds) => requests.observe(labels, seconds),
    text: async (format) => {
      await tasks.read(database);
      await webhooks.read(database);
      if (format === "prometheus") return registry.metrics();
      return openMetricsText(await registry.getMetricsAsJSON());
    },
  };
}

type Registers = Registry[];

const batchMetrics = (registers: Registers) => ({
  operations: new Counter({
    name: "lading_operations_total",
    help: "Operations executed and committed by this process.",
    labelNames: ["intent", "status"],
    registers,
  }),
  batchOperations: new Histogram({
    name: "lading_batch_operations",
    help: "Operations per commit.",
    buckets: [1, 10, 50, 100, 200, 500, 1_000],
    registers,
  }),
  batchSeconds: new Histogram({
    name: "lading_batch_duration_seconds",
    help: "Time from the start of a batch to its commit, including retries.",
    buckets: durations,
    registers,
  }),
  retries: new Counter({
    name: "lading_batch_retries_total",
    help: "Batch retries.",
    labelNames: ["reason"],
    registers,
  }),
  interruptions: new Counter({
    name: "lading_task_interruptions_total",
    help: "Interruptions of tasks by an error or a lost claim; the tasks are retried.",
    registers,
  }),
});

const imageMetrics = (registers: Registers) => ({
  imageSeconds: new Histogram({
    name: "lading_image_fetch_duration_seconds",
    help: "Time to fetch and store an image uploaded by an operation.",
    labelNames: ["outcome"],
    buckets: durations,
    registers,
  }),
  imageBytes: new Counter({
    name: "lading_image_fetched_bytes_total",
    help: "Bytes of fetched and stored images.",
    registers,
  }),
});

const webhookMetrics = (registers: Registers) => ({
  webhookSeconds: new Histogram({
    name: "lading_webhook_duration_seconds",
    help: "Duration of a webhook delivery attempt, including the response.",
    labelNames: ["outcome"],
    buckets: durations,
    registers,
  }),
});

const requestSeconds = (registers: Registers) =>
  new Histogram({
    name: "lading_http_request_duration_seconds",
    help: "Time from the head of a request to the end of its response; excludes streams.",
    labelNames: ["method", "route", "status"],
    buckets: durations,
    registers,
  });

/** Makes the task gauges across tenants, which are the same in every process. */
function taskGauges(registers: Registers) {
  const byStatus = new Gauge({
    name: "lading_tasks",
    help: "Bulk tasks of all tenants by status.",
    labelNames: ["status"],
    registers,
  });
  const queued = new Gauge({
    name: "lading_queue_tasks",
    help: "Started tasks of all tenants without a runner, by the work they wait for.",
    labelNames: ["work"],
    registers,
  });
  const queueAge = new Gauge({
    name: "lading_queue_age_seconds",
    help: "Longest time that a task has been waiting for a runner; 0 if none is.",
    registers,
  });
  const read = async (database: Database) => {
    byStatus.reset();
    queued.reset();
    queueAge.remove();
    const counts = await countTasks(database).catch(() => undefined);
    if (counts === undefined) return;
    for (const [status, count] of Object.entries(counts.byStatus)) byStatus.set({ status }, count);
    for (const [work, count] of Object.entries(counts.queued)) queued.set({ work }, count);
    queueAge.set(counts.queueAgeSeconds);
  };
  return { read };
}

/** Makes the webhook gauges across tenants, which are the same in every process. */
function webhookGauges(registers: Registers) {
  const pending = new Gauge({
    name: "lading_webhooks_pending",
    help: "Pending webhook deliveries of all tenants, including retries.",
    registers,
  });
  const age = new Gauge({
    name: "lading_webhook_age_seconds",
    help: "Age of the oldest pending webhook delivery; 0 if there is none.",
    registers,
  });
  const read = async (database: Database) => {
    pending.remove();
    age.remove();
    const events = await countPending(database).catch(() => undefined);
    if (events === undefined) return;
    pending.set(events.pending);
    age.set(events.ageSeconds);
  };
  return { read };
}

/** Makes the gauges of database connections, if there is a pool. */
function connectionGauges(registers: Registers, { connections }: Database): void {
  if (connections === undefined) return;
  new Gauge({
    name: "lading_database_connections",
    help: "Database connections of this process.",
    labelNames: ["state"],
    registers,
    collect() {
      const { open, idle } = connections();
      this.set({ state: "idle" }, idle);
      this.set({ state: "busy" }, open - idle);
    },
  });
  new Gauge({
    name: "lading_database_waiting",
    help: "Statements and transactions of this process waiting for a database connection.",
    registers,
    collect() {
      this.set(connections().waiting);
    },
  });
}

function processGauges(registers: Registers): void {
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory of this process.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "lading_build_info",
    help: "Always 1; the labels describe this process.",
    labelNames: ["version", "commit", "node"],
    registers,
    collect() {
      // Lazily: in a clone this asks git, which takes longer than opening a database in memory.
      const { version, commit = "unknown" } = versionAndCommit();
      this.set({ version, commit, node: process.versions.node }, 1);
    },
  });
}

/** Measures webhook delivery tries. */
export const webhookTelemetry =
  ({ webhookSeconds }: Metrics): NonNullable<DeliveryOptions["onTry"]> =>
  (outcome, seconds) =>
    webhookSeconds.observe({ outcome }, seconds);
