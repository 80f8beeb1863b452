import type { Task } from "./task.ts";

/** The operations that a task has executed, without those that it passes over. */
export const executedOf = ({ succeeded, partial, failed }: Task["progress"]) => succeeded + partial + failed;

/**
 * The operations that a task is to execute; null until its file has been read. An undo passes over operations that have
 * written nothing, such as those that a retry did not execute: until it has come to its end, this is the most there can
 * be.
 */
export function operationsOf({ kind, progress }: Pick<Task, "kind" | "progress">): number | null {
  const { toExecute, total, skipped } = progress;
  if (kind === "retry") return toExecute;
  return total === null ? null : total - skipped;
}

/** Operations that have failed, wholly or in part, and that no retry has executed successfully since. */
export const openFailuresOf = ({ failed, partial, repaired }: Task["progress"]) =>
  failed + partial - repaired;

/** Operations by their outcome as it is by now: `repaired` ones are not among the others. */
export function outcomesOf({ succeeded, partial, failed, repaired }: Task["progress"]) {
  // Retries execute what failed before what was partial, unless they are asked for the latter.
  const repairedFailures = Math.min(failed, repaired);
  return {
    succeeded,
    repaired,
    partial: partial - (repaired - repairedFailures),
    failed: failed - repairedFailures,
  };
}
