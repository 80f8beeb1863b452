/**
 * `npm run bench:scale` measures what operations and requests cost on PostgreSQL, writes bench/results/scale.json, and
 * renews docs/scale.md. Figures of CPU time and bytes vary little on a busy machine; requests a second need an idle
 * one.
 */
import { writeFile } from "node:fs/promises";
import { figuresFile, type OperationCost, type ScaleFigures } from "../scripts/scale/figures.ts";
import { readOptions } from "./program/options.ts";
import { environment } from "./program/rows.ts";
import { measureRequests } from "./scale/requests.ts";
import { type Host, openHost } from "./service/host.ts";
import { runFile } from "./service/tasks.ts";
import { cpuOf, warmUp } from "./throughput/measure.ts";
import { file, numbers, references, type Workload } from "./workloads/workload.ts";
import { workloads } from "./workloads/workloads.ts";

const values = readOptions(
  "bench:scale",
  "Measures what operations and requests cost on PostgreSQL, writes bench/results/scale.json, and renews docs/scale.md.",
  {
    operations: { default: "20000", meaning: "operations of each task" },
    seconds: { default: "5", meaning: "time for which each kind of request is sent" },
  },
);

/** Bytes so far: of write-ahead log, and of tables with their indexes, those of the operation log apart. */
const sizes = `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal, sum(bytes) FILTER (WHERE is_log) AS log,
    sum(bytes) FILTER (WHERE NOT is_log) AS data
  FROM (SELECT relname LIKE 'operation_log%' AS is_log, pg_total_relation_size(oid) AS bytes
        FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS tables`;

/** Reads what was used up so far: CPU time in milliseconds, and bytes. */
async function usageOf(host: Host) {
  const { service, database } = await cpuOf(host);
  const [row] = await host.look((connection) =>
    connection.query<Record<"wal" | "log" | "data", string | number>>(sizes),
  );
  if (row === undefined || database === null) throw new Error("this system does not say what a process used");
  return { service, database, wal: Number(row.wal), log: Number(row.log), data: Number(row.data) };
}

/** The costs of the runs of a workload, by their names. */
async function costsOf(host: Host, workload: Workload): Promise<Record<string, OperationCost>> {
  await runFile(host.service, file([...workload.start, ...workload.preparation]));
  const costs: Record<string, OperationCost> = {};
  for (const { name, operation } of workload.runs) {
    const range = numbers(0, workload.size);
    const blob = file([...workload.start, ...range.map((number) => operation(number, references))]);
    const before = await usageOf(host);
    const { operations } = await runFile(host.service, blob, range.filter(workload.fails).length);
    const after = await usageOf(host);
    const each = (what: keyof typeof before) => (after[what] - before[what]) / operations;
    costs[name] = {
      serviceCpuUs: Math.round(1_000 * each("service")),
      databaseCpuUs: Math.round(1_000 * each("database")),
      walBytes: Math.round(each("wal")),
      logBytes: Math.round(each("log")),
      dataBytes: Math.round(each("data")),
      fileBytes: Math.round(blob.size / operations),
    };
    console.error(name, costs[name]);
  }
  return costs;
}

/** Measures with a service on an empty database of its own. */
async function measured<Result>(work: (host: Host) => Promise<Result>): Promise<Result> {
  const host = await openHost("postgresql", warmUp);
  return work(host).finally(() => host.close());
}

const size = Number(values.operations);
const { create, update } = await measured((host) => costsOf(host, workloads.upserts!(size)));
const { mixed } = await measured((host) => costsOf(host, workloads.mixed!(size)));
const requests = await measured((host) => measureRequests(host, () => usageOf(host), Number(values.seconds)));
const figures: ScaleFigures = {
  ...environment(),
  operations: { create: create!, update: update!, mixed: mixed! },
  requests,
};
await writeFile(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
await import("../scripts/generate-docs.ts");
