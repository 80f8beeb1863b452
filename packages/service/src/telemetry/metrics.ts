import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { countTasks } from "../storage/bulk-tasks/count.ts";
import type { Database } from "../storage/database.ts";

/** The metrics of a process, in the format of Prometheus. */
export interface Metrics {
  readonly operations: Counter<"intent" | "status">;
  readonly batchOperations: Histogram;
  readonly batchSeconds: Histogram;
  readonly retries: Counter<"reason">;
  readonly interruptions: Counter;
  /** Renders all metrics as text; without the gauges of the database when it does not answer. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Makes the metrics of one service, which shares none with another one in the process. */
export function openMetrics(database: Database): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const tasks = taskGauges(registry);
  registers[0]?.registerMetric(residentMemory());
  return {
    operations: new Counter({
      name: "lading_operations_total",
      help: "Operations that this process executed and committed.",
      labelNames: ["intent", "status"],
      registers,
    }),
    batchOperations: new Histogram({
      name: "lading_batch_operations",
      help: "Operations of one commit.",
      buckets: [1, 10, 50, 100, 200, 500, 1_000],
      registers,
    }),
    batchSeconds: new Histogram({
      name: "lading_batch_duration_seconds",
      help: "Time from the begin of a batch to its commit, retries included.",
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    retries: new Counter({
      name: "lading_batch_retries_total",
      help: "Batches that were run again.",
      labelNames: ["reason"],
      registers,
    }),
    interruptions: new Counter({
      name: "lading_task_interruptions_total",
      help: "Times that the work on a task ended by trouble or a lost claim; it is taken up again.",
      registers,
    }),
    contentType: registry.contentType,
    text: async () => {
      await tasks.read(database);
      return registry.metrics();
    },
  };
}

/** Makes the gauges of all tenants' tasks, which are the same in every process. */
function taskGauges(registry: Registry) {
  const registers = [registry];
  const byStatus = new Gauge({
    name: "lading_tasks",
    help: "Bulk tasks of all tenants by status.",
    labelNames: ["status"],
    registers,
  });
  const queueAge = new Gauge({
    name: "lading_queue_age_seconds",
    help: "How long the oldest task that could be worked on has waited for a runner; 0 when none waits.",
    registers,
  });
  const read = async (database: Database) => {
    byStatus.reset();
    queueAge.remove();
    const counts = await countTasks(database).catch(() => undefined);
    if (counts === undefined) return;
    for (const [status, count] of Object.entries(counts.byStatus)) byStatus.set({ status }, count);
    queueAge.set(counts.queueAgeSeconds);
  };
  return { read };
}

function residentMemory(): Gauge {
  return new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory of this process.",
    registers: [],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
}
