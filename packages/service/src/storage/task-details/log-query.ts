import { type Intent, intentNames } from "@lading/schema";
import type { Parameter } from "../database.ts";
import type { LogFilter, LogKey, StoredLog } from "./operation-logs.ts";

/** A request for at most `count` entries after the number `after`, of about `bytes` together, but at least one. */
export interface LogQuery extends LogKey, Pick<LogFilter, "status" | "action"> {
  /** The intents of the entries that are asked for; null for all. */
  readonly intents: readonly Intent[] | null;
  readonly after: number;
  readonly count: number;
  readonly bytes: number;
}

/**
 * Returns the intents that begin with a text; null for all of them. No entry has another intent, so that the text,
 * which may be anything, does not get to the database.
 */
export const intentsThatStartWith = (text: string | null | undefined): readonly Intent[] | null =>
  text ? intentNames.filter((intent) => intent.startsWith(text)) : null;

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
export const parameters = ({ tenantId, taskId, status, intents, action }: LogQuery): Parameter[] => [
  tenantId,
  taskId,
  status ?? null,
  intents,
  action ?? null,
];
