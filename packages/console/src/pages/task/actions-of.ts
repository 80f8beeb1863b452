import { countOf } from "../../ui/format.ts";
import { expectedText, undoneText } from "../task-model/outcome.ts";
import { changedOf, executedOf, openFailuresOf, operationsOf } from "../task-model/progress.ts";
import type { Task } from "../task-model/task.ts";
import type { TaskDetails } from "./documents.ts";

export type Action = "start" | "resume" | "hold" | "cancel" | "retry" | "undo" | "follow";

/** The actions a task allows in its state. If the service refuses one, it says why. */
export function actionsOf(task: TaskDetails): Action[] {
  const { kind, status, heldAt, endedAt, ofTask, progress, prunedAt, followedBy } = task;
  if (status === "pending" && heldAt === null) return ["start", "cancel"];
  if (endedAt === null && kind === "plan") return ["cancel"];
  if (endedAt === null) return [heldAt === null ? "hold" : "resume", "cancel"];
  if (prunedAt !== null) return [];
  if (kind === "plan" && status !== "complete") return [];
  // The service does not run the plan of an undo, but undoes the task it is for.
  if (kind === "plan" && ofTask !== null) return ["undo"];
  if (kind === "plan") return followedBy === null ? ["follow"] : [];
  return [
    ...(kind !== "undo" && isRetryable(task) ? (["retry"] as const) : []),
    ...(executedOf(progress) > 0 ? (["undo"] as const) : []),
  ];
}

const ended: readonly TaskDetails["status"][] = ["complete", "error"];

/** True if some operations have not succeeded, and no retry is about to execute them. */
function isRetryable(task: TaskDetails): boolean {
  const last = task.retries.at(-1);
  return (
    (last === undefined || ended.includes(last.status)) &&
    openFailuresOf(task.progress) + notAttemptedOf(task) > 0
  );
}

/** Operations neither the task nor its retries have reached. An undone retry does not count. */
export function notAttemptedOf({ kind, progress, retries }: TaskDetails): number {
  const counted = retries.filter(({ undoneBy }) => undoneBy === null);
  if (kind === "retry" || counted.length === 0) {
    const last = counted.at(-1) ?? { kind, progress };
    return (operationsOf(last) ?? 0) - executedOf(last.progress);
  }
  const attempting = counted.filter(({ include }) => include?.includes("NOT_ATTEMPTED"));
  const attempted = Math.max(...[{ progress }, ...attempting].map((each) => each.progress.processed));
  return (progress.total ?? 0) - attempted;
}

/** True if the failures of a task can be read as a file. */
export const hasFailuresFile = ({ kind, prunedAt, endedAt, progress }: TaskDetails) =>
  (kind === "run" || kind === "retry") &&
  prunedAt === null &&
  endedAt !== null &&
  openFailuresOf(progress) > 0;

/** Why following a plan would do nothing; undefined if it would do something. */
export function followRefusal({ ofTask, progress }: TaskDetails): string | undefined {
  if (changedOf(progress) > 0) return undefined;
  return `${ofTask === null ? "The run" : "The undo"} would do nothing (${expectedText(progress)}).`;
}

/** Why retrying that many operations of a task would do nothing; undefined if it would do something. */
export function retryRefusal({ prunedAt }: TaskDetails, operations: number): string | undefined {
  if (prunedAt !== null) return "The task’s log was removed: run the file again to repeat its operations.";
  return operations === 0 ? "No operations are selected." : undefined;
}

/** Why undoing a task would do nothing, given its newest undo; undefined if it would do something. */
export function undoRefusal(task: TaskDetails, undo: Task | undefined): string | undefined {
  if (changedOf(task.progress) === 0)
    return `There is nothing to undo: the task changed nothing in ${countOf(executedOf(task.progress), "operation")}.`;
  if (undo === undefined || undo.undoneBy !== null) return undefined;
  if (undo.endedAt === null) return "An undo is already running: wait for it to end, or cancel it.";
  return undoneText(undo) === "Undone" ? "It has already been undone. To redo it, undo the undo." : undefined;
}
