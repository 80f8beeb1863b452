import type { RateSample } from "../../ui/values/rate-line.tsx";
import type { Task } from "./task.ts";

/** The operations a task has executed, without those it skips. */
export const executedOf = ({ succeeded, partial, failed }: Task["progress"]) => succeeded + partial + failed;

/**
 * The number of operations a task will execute; null until its file has been read. An undo skips operations
 * that wrote nothing, such as those a retry did not execute: until it has ended, this is an upper limit.
 */
export function operationsOf({ kind, progress }: Pick<Task, "kind" | "progress">): number | null {
  const { toExecute, total, skipped } = progress;
  if (kind === "retry") return toExecute;
  return total === null ? null : total - skipped;
}

/** The operations that changed something, or would by a plan, at least in part. */
export const changedOf = ({ created, updated, deleted, published, unpublished }: Task["progress"]) =>
  created + updated + deleted + published + unpublished;

/** Operations that failed, wholly or partly, and that no retry has since executed successfully. */
export const openFailuresOf = ({ failed, partial, repaired }: Task["progress"]) =>
  failed + partial - repaired;

/** Operations by their current outcome: `repaired` ones are not counted elsewhere. */
export function outcomesOf({ succeeded, partial, failed, repaired }: Task["progress"]) {
  // Retries execute failed operations before partial ones, unless asked for the latter.
  const repairedFailures = Math.min(failed, repaired);
  return {
    succeeded,
    repaired,
    partial: partial - (repaired - repairedFailures),
    failed: failed - repairedFailures,
  };
}

/** The rate between two states of a task; undefined if less than a second of work lies between them. */
export function rateBetween(before: Task | undefined, after: Task): RateSample | undefined {
  const from = Date.parse(before?.progress.updatedAt ?? before?.progress.startedAt ?? "");
  const at = Date.parse(after.progress.updatedAt ?? "");
  if (before === undefined || !(at - from >= 1_000)) return undefined;
  return { at, rate: ((executedOf(after.progress) - executedOf(before.progress)) / (at - from)) * 1_000 };
}
