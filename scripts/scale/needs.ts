import { poolSize } from "../../packages/service/src/storage/engines/postgres.ts";
import { firstPiece, largestPiece } from "../../packages/service/src/uploads/s3-store.ts";
import type { ScaleFigures } from "./figures.ts";

/** The work of tenants. */
export interface Load {
  tenants: number;
  /** Operations of one tenant a day. */
  operations: number;
  /** Requests of one tenant a day, beside those that upload and start files. */
  requests: number;
  /** The share of requests that are mutations, from 0 to 1. */
  mutations: number;
  /** The rate of the busiest hour, divided by the average. */
  peak: number;
  /** Products that one tenant stores. */
  products: number;
  /** Operations of one file. */
  fileOperations: number;
  /** Days for which logs and files are kept (`LADING_RETENTION_DAYS`). */
  retentionDays: number;
}

/** The needs of a load, with headroom: bytes, cores and counts. */
export interface Needs {
  operationsADay: number;
  /** Operations and requests a second in the busiest hour. */
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
  /** Connections of all processes together. */
  connections: number;
  databases: number;
}

/** The room that the needs leave. */
const headroom = {
  /** The share of a core that is used in the busiest hour. */
  usedCore: 0.5,
  /** Storage of tables, over what the rows need when they were just written: dead rows, indexes that grew. */
  storage: 1.5,
  /** One may fail, or be replaced. */
  leastProcesses: 2,
} as const;

/** The load at which tenants are spread over a further database. */
export const oneDatabase = { operationsASecond: 5_000, bytes: 1e12 } as const;

const secondsADay = 86_400;

/** Computes what a load needs, from what an operation of the mixed workload and a request cost. */
export function needsOf(load: Load, { operations, requests }: ScaleFigures): Needs {
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
  const dataStorage = load.tenants * load.products * create.dataBytes * headroom.storage;
  return {
    ...{ operationsADay, peakOperations, peakRequests },
    ...{ runnerCores, runnerProcesses, apiCores, apiProcesses },
    databaseCores: cores(mixed.databaseCpuUs, request("databaseCpuUs")),
    walADay: operationsADay * mixed.walBytes + requestsADay * request("walBytes"),
    ...{ logStorage, dataStorage },
    uploadStorage: operationsADay * load.retentionDays * mixed.fileBytes,
    s3RequestsADay:
      (operationsADay / load.fileOperations) * s3RequestsOf(load.fileOperations * mixed.fileBytes),
    connections: (apiProcesses + runnerProcesses) * poolSize + runnerProcesses,
    databases: Math.max(
      1,
      Math.ceil(peakOperations / oneDatabase.operationsASecond),
      Math.ceil((logStorage + dataStorage) / oneDatabase.bytes),
    ),
  };
}

/**
 * Requests to the object store for one file of so many bytes: its upload, a look when the task is created, a look and
 * its pieces for each of two passes, and its deletion.
 */
export function s3RequestsOf(bytes: number): number {
  let pieces = 0;
  for (let [left, size] = [bytes, firstPiece]; left > 0; pieces++) {
    left -= size;
    size = Math.min(largestPiece, 2 * size);
  }
  return 1 + 1 + 2 * (1 + pieces) + 1;
}
