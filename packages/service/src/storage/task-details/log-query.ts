import { type Intent, intentNames } from "@lading/schema";
import type { FailureSource } from "../bulk-tasks/retries/task-line.ts";
import type { LogSearch } from "./log-search.ts";
import type { FailureFilter, LogFilter, LogKey, StoredLog } from "./operation-logs.ts";

/** A request for at most `count` entries after the number `after`, of about `bytes` together, but at least one. */
export interface LogQuery extends LogKey, Pick<LogFilter, "status" | "action"> {
  /** The intents of the entries that are asked for; null for all. */
  readonly intents: readonly Intent[] | null;
  /** Not null: only failures match. */
  readonly failures: FailureFilter | null;
  /** Not null: only these rows of failures match, the latest outcomes of operations that no retry has repaired. */
  readonly unrepaired: readonly FailureSource[] | null;
  /** Not null: entries are read to find those of which `matches` is true. */
  readonly search: LogSearch | null;
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

/** The first entries that a task has for a query, in the order of their numbers. */
export interface LogSlice {
  readonly entries: readonly SizedLog[];
  /** False when there may be more after them. */
  readonly isComplete: boolean;
  /** The number of the last entry that was looked at. */
  readonly searchedTo: number;
}
