import { type Intent, intentNames } from "@lading/schema";
import type { FailureSource } from "../bulk-tasks/retries/retry-chain.ts";
import type { LogSearch } from "./log-search.ts";
import type { FailureFilter, LogFilter, LogKey, StoredLog } from "./operation-logs.ts";

/** A request for at most `count` entries after the index `after`, of about `bytes` together, but at least one. */
export interface LogQuery extends LogKey, Pick<LogFilter, "status" | "action"> {
  /** The requested intents; null for all. */
  readonly intents: readonly Intent[] | null;
  /** If set, only failures match. */
  readonly failures: FailureFilter | null;
  /** If set, only these failure rows match: the latest outcomes of operations that no retry has repaired. */
  readonly unrepaired: readonly FailureSource[] | null;
  /** If set, entries are read to find those that `matches`. */
  readonly search: LogSearch | null;
  readonly after: number;
  readonly count: number;
  readonly bytes: number;
}

/**
 * Returns the intents that begin with a text; null for all of them. No entry has another intent, so the text, which may
 * be anything, isn't sent to the database.
 */
export const intentsThatStartWith = (text: string | null | undefined): readonly Intent[] | null =>
  text ? intentNames.filter((intent) => intent.startsWith(text)) : null;

export interface SizedLog {
  readonly entry: StoredLog;
  readonly bytes: number;
}

/** A task's first entries for a query, ordered by index. */
export interface LogSlice {
  readonly entries: readonly SizedLog[];
  /** False when there may be more after them. */
  readonly isComplete: boolean;
  /** The index of the last entry examined. */
  readonly searchedTo: number;
}
