import type { Parameter } from "../database.ts";
import type { LogFilter, LogKey, StoredLog } from "./operation-logs.ts";

/** A request for at most `count` entries after the number `after`, of about `bytes` together, but at least one. */
export interface LogQuery extends LogKey, Pick<LogFilter, "status" | "operationTypeStartsWith" | "action"> {
  readonly after: number;
  readonly count: number;
  readonly bytes: number;
}

export interface SizedLog {
  readonly entry: StoredLog;
  readonly bytes: number;
}

/** The first entries that one table has for a query, in the order of their numbers. */
export interface LogSlice {
  readonly entries: readonly SizedLog[];
  /** False when there may be more after them. */
  readonly isComplete: boolean;
}

/** The task and the filters of a query, as the first five parameters of a statement. */
export const parameters = ({
  tenantId,
  taskId,
  status,
  operationTypeStartsWith,
  action,
}: LogQuery): Parameter[] => [
  tenantId,
  taskId,
  status ?? null,
  operationTypeStartsWith ?? null,
  action ?? null,
];
