import { type Action, actions } from "@lading/schema";

/** The number of operations by action; null for a task that ended before this was counted. */
export type ActionCounts = Record<Action, number | null>;

/** The part of an operation's log entry that is counted. */
export interface CountedOperation {
  readonly status: keyof typeof columns;
  readonly action: Action | null;
}

const columns = { success: "succeeded", partial: "partial", failure: "failed" } as const;

/** The columns of `bulk_tasks` that count operations: by status, and by action. */
const counters = [...Object.values(columns), ...actions];

/** Adds to every counter, in an UPDATE whose parameters for them begin at this number. */
export const addToCounters = (first: number): string =>
  counters.map((counter, i) => `${counter} = ${counter} + $${first + i}`).join(", ");

/** Counts operations, in the order of `addToCounters`. */
export function countersOf(operations: readonly CountedOperation[]): number[] {
  const counted = new Map<string, number>();
  const count = (counter: string) => counted.set(counter, (counted.get(counter) ?? 0) + 1);
  for (const { status, action } of operations) {
    count(columns[status]);
    if (action !== null) count(action);
  }
  return counters.map((counter) => counted.get(counter) ?? 0);
}

/** The counts of actions within a row of `bulk_tasks`. */
export function actionCounts(row: ActionCounts): ActionCounts {
  const { created, updated, unchanged, deleted, published, unpublished } = row;
  return { created, updated, unchanged, deleted, published, unpublished };
}
