import { type Row, readResults, spread } from "../../bench/results.ts";
import { poolSize } from "../../packages/service/src/storage/engines/postgres.ts";
import { mostSessions } from "../../packages/service/src/storage/engines/postgres-session.ts";
import { mostSnapshots } from "../../packages/service/src/storage/pages/snapshot.ts";
import { firstPiece, largestPiece } from "../../packages/service/src/uploads/s3-store.ts";

interface OperationCost {
  /** CPU time in microseconds of one core; the service's includes the validation of the file. */
  serviceCpuUs: number;
  databaseCpuUs: number;
  walBytes: number;
  /** Growth of the operation log's tables in bytes, with their indexes. */
  logBytes: number;
  /** Growth of all other tables in bytes, with their indexes. */
  dataBytes: number;
  /** Bytes of the uploaded file. */
  fileBytes: number;
}

type RequestCost = Pick<OperationCost, "serviceCpuUs" | "databaseCpuUs" | "walBytes">;

/** The figures of `npm run bench -- scale`. */
export interface Costs {
  operations: Readonly<Record<"create" | "mixed", OperationCost>>;
  requests: Readonly<Record<"read" | "mutation", RequestCost>>;
}

/** The costs behind docs/scale.md and `npm run scale`. */
export function readCosts(rows: readonly Row[] = readResults()): Costs {
  const reader = (of: string, run: string) => (heading: string) => {
    const row = rows.find((row) => row.workload === `cost of ${of}` && row.run === run);
    const found = spread(row?.figures[heading]);
    if (found === undefined)
      throw new Error(
        `bench/results.json lacks "${heading}" of "${run}"; measure it: npm run bench -- scale --save`,
      );
    return found.median;
  };
  const request = (figure: (heading: string) => number): RequestCost => ({
    ...{ serviceCpuUs: figure("Service, µs"), databaseCpuUs: figure("Database, µs") },
    walBytes: figure("Write-ahead log, B"),
  });
  const operation = (figure: (heading: string) => number): OperationCost => ({
    ...request(figure),
    ...{ logBytes: figure("Operation log, B"), dataBytes: figure("Other tables, B") },
    fileBytes: figure("File, B"),
  });
  const [create, mixed] = ["create", "mixed"].map((run) => operation(reader("an operation", run)));
  const [read, mutation] = ["read", "mutation"].map((run) => request(reader("a request", run)));
  return { operations: { create: create!, mixed: mixed! }, requests: { read: read!, mutation: mutation! } };
}

export interface Load {
  tenants: number;
  /** Operations of one tenant per day. */
  operations: number;
  /** Requests of one tenant per day, in addition to those that upload and start files. */
  requests: number;
  /** The share of requests that are mutations, from 0 to 1. */
  mutations: number;
  /** The busiest hour's rate, divided by the average. */
  peak: number;
  /** Products of one tenant before the first of `days`. */
  products: number;
  /** Days of the load whose rows are kept: operations create products, customers and orders. */
  days: number;
  /** Operations per file. */
  fileOperations: number;
  /** Days for which logs and files are kept (`LADING_RETENTION_DAYS`). */
  retentionDays: number;
}

/** A load's needs, with headroom: bytes, cores and counts. */
export interface Needs {
  operationsADay: number;
  /** Operations and requests per second in the busiest hour. */
  peakOperations: number;
  peakRequests: number;
  runnerCores: number;
  runnerProcesses: number;
  apiCores: number;
  apiProcesses: number;
  databaseCores: number;
  walADay: number;
  logStorage: number;
  dataStorage: number;
  uploadStorage: number;
  s3RequestsADay: number;
  connections: number;
  databases: number;
}

const headroom = {
  /** The share of a core used in the busiest hour. */
  usedCore: 0.5,
  /** Table storage, relative to rows just written: dead rows, grown indexes. */
  storage: 1.5,
  /** One may fail, or be replaced. */
  leastProcesses: 2,
} as const;

/** The load beyond which tenants are spread over another database. */
export const oneDatabase = { operationsASecond: 5_000, bytes: 1e12 } as const;

const secondsADay = 86_400;

export function needsOf(load: Load, { operations, requests }: Costs): Needs {
  const { mixed, create } = operations;
  const operationsADay = load.tenants * load.operations;
  const requestsADay = load.tenants * load.requests;
  const peakOf = (aDay: number) => (aDay / secondsADay) * load.peak;
  const [peakOperations, peakRequests] = [peakOf(operationsADay), peakOf(requestsADay)];
  const cores = (operationUs: number, requestUs: number) =>
    (peakOperations * operationUs + peakRequests * requestUs) / 1e6 / headroom.usedCore;
  const request = (cost: "serviceCpuUs" | "databaseCpuUs" | "walBytes") =>
    requests.read[cost] * (1 - load.mutations) + requests.mutation[cost] * load.mutations;
  const runnerCores = cores(mixed.serviceCpuUs, 0);
  const apiCores = cores(0, request("serviceCpuUs"));
  const processes = (needed: number) => Math.max(headroom.leastProcesses, Math.ceil(needed));
  const [runnerProcesses, apiProcesses] = [processes(runnerCores), processes(apiCores)];
  const logStorage = operationsADay * load.retentionDays * mixed.logBytes * headroom.storage;
  const createdStorage = operationsADay * load.days * mixed.dataBytes;
  const dataStorage = (load.tenants * load.products * create.dataBytes + createdStorage) * headroom.storage;
  return {
    ...{ operationsADay, peakOperations, peakRequests },
    ...{ runnerCores, runnerProcesses, apiCores, apiProcesses },
    databaseCores: cores(mixed.databaseCpuUs, request("databaseCpuUs")),
    walADay: operationsADay * mixed.walBytes + requestsADay * request("walBytes"),
    ...{ logStorage, dataStorage },
    uploadStorage: operationsADay * load.retentionDays * mixed.fileBytes,
    s3RequestsADay:
      (operationsADay / load.fileOperations) * s3RequestsOf(load.fileOperations * mixed.fileBytes),
    connections: apiProcesses * (poolSize + mostSnapshots) + runnerProcesses * (poolSize + 1 + mostSessions),
    databases: Math.max(
      1,
      Math.ceil(peakOperations / oneDatabase.operationsASecond),
      Math.ceil((logStorage + dataStorage) / oneDatabase.bytes),
    ),
  };
}

/**
 * Requests to the object store for one file of `bytes` bytes: its upload, a look when the task is created, a
 * look and its pieces for each of two passes, and its deletion.
 */
export function s3RequestsOf(bytes: number): number {
  let pieces = 0;
  for (let [left, size] = [bytes, firstPiece]; left > 0; pieces++) {
    left -= size;
    size = Math.min(largestPiece, 2 * size);
  }
  return 1 + 1 + 2 * (1 + pieces) + 1;
}

/** Formats bytes with a decimal unit: 1.5 GB. */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let [value, unit] = [bytes, 0];
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000;
  return `${numberText(value)} ${units[unit]}`;
}

/** Formats a number, with more decimal places the smaller it is: 5,958; 12.3; 0.55; below 0.01. */
export function numberText(value: number): string {
  if (value > 0 && value < 0.01) return "below 0.01";
  const maximumFractionDigits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits });
}

const processes = (count: number, cores: number) =>
  `${numberText(count)} ${count === 1 ? "process" : "processes"}, ${numberText(cores)} cores`;

/** The lines of a table of needs: what, and how much. */
export const needLines: readonly [what: string, text: (needs: Needs) => string][] = [
  ["Operations per day", ({ operationsADay }) => numberText(operationsADay)],
  ["Operations per second, busiest hour", ({ peakOperations }) => numberText(peakOperations)],
  ["Requests per second, busiest hour", ({ peakRequests }) => numberText(peakRequests)],
  ["Runners", ({ runnerProcesses, runnerCores }) => processes(runnerProcesses, runnerCores)],
  ["API", ({ apiProcesses, apiCores }) => processes(apiProcesses, apiCores)],
  ["CPU of the database", ({ databaseCores }) => `${numberText(databaseCores)} cores`],
  ["Write-ahead log per day", ({ walADay }) => bytesText(walADay)],
  ["Storage: operation log", ({ logStorage }) => bytesText(logStorage)],
  ["Storage: everything else", ({ dataStorage }) => bytesText(dataStorage)],
  ["Storage: uploaded files", ({ uploadStorage }) => bytesText(uploadStorage)],
  ["Requests to S3 per day", ({ s3RequestsADay }) => numberText(s3RequestsADay)],
  ["Connections to the database", ({ connections }) => numberText(connections)],
  ["Servers for it, of 1 TB", ({ databases }) => numberText(databases)],
];
