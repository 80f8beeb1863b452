import { type Action, actions } from "@lading/schema";
import type { LogEntry } from "./logs.ts";

/** Numbers of operations by what they did; null for a task that had ended before this was counted. */
export type ActionCounts = Record<Action, number | null>;

const columns = { success: "succeeded", partial: "partial", failure: "failed" } as const;

/** The columns of `bulk_tasks` that count operations: by how they ended, and by what they did. */
const counters = [...Object.values(columns), ...actions];

/** Adds to every counter, in an UPDATE; the first parameter has this number. */
export const addToCounters = (first: number): string =>
  counters.map((counter, i) => `${counter} = ${counter} + $${first + i}`).join(", ");

/** Counts entries of the log, in the order of `addToCounters`. */
export function countersOf(entries: readonly LogEntry[]): number[] {
  const counted = new Map<string, number>();
  const count = (counter: string) => counted.set(counter, (counted.get(counter) ?? 0) + 1);
  for (const { status, action } of entries) {
    count(columns[status]);
    if (action !== null) count(action);
  }
  return counters.map((counter) => counted.get(counter) ?? 0);
}

/** The counts of actions within a row of `bulk_tasks`. */
export const actionCounts = (row: ActionCounts): ActionCounts =>
  Object.fromEntries(actions.map((action) => [action, row[action]])) as ActionCounts;
