import { readFileSync } from "node:fs";
import type { Row } from "../../bench/program/rows.ts";

/** The cost of one operation of a file. */
export interface OperationCost {
  /** CPU time in microseconds of one core; the service's has the validation of the file. */
  serviceCpuUs: number;
  databaseCpuUs: number;
  /** Bytes of write-ahead log. */
  walBytes: number;
  /** Bytes that the tables of the operation log grow by, with their indexes. */
  logBytes: number;
  /** Bytes that all other tables grow by, with their indexes. */
  dataBytes: number;
  /** Bytes of the uploaded file. */
  fileBytes: number;
}

/** The cost of one request of the API, and how many one process answers a second on the machine of the bench. */
export interface RequestCost {
  rate: number;
  serviceCpuUs: number;
  databaseCpuUs: number;
  walBytes: number;
}

/** The figures of `npm run bench:scale`. */
export interface ScaleFigures extends Pick<Row, "date" | "node" | "machine"> {
  operations: Readonly<Record<"create" | "update" | "mixed", OperationCost>>;
  requests: Readonly<Record<"read" | "mutation", RequestCost>>;
}

/** The figures that docs/scale.md and `npm run scale` are computed from. */
export const figuresFile = new URL("../../bench/results/scale.json", import.meta.url);
export const readFigures = (): ScaleFigures => JSON.parse(readFileSync(figuresFile, "utf8"));
