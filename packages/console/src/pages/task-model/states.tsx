import { timeText } from "../../ui/format.ts";
import { State, type StateShape } from "../../ui/values/state.tsx";
import { isTotalLoss, plannedWords } from "./outcome.ts";
import { openFailuresOf } from "./progress.ts";
import { type LogRow, type Task, taskName } from "./task.ts";
import styles from "./task-model.module.css";

type TaskStatus = Pick<Task, "kind" | "status" | "heldAt" | "startAt" | "info" | "progress">;

/** A task by its kind and file, in a sentence or as a title. */
export const TaskName = ({ task }: { task: Parameters<typeof taskName>[0] }) => (
  <bdi className={styles.name}>{taskName(task)}</bdi>
);

/**
 * A task's state by shape and word. A complete one says whether it has, or had, failures; one of which every operation
 * failed has failed.
 */
export function TaskState({ task }: { task: TaskStatus }) {
  const [shape, word] = stateOf(task);
  return <State shape={shape}>{word}</State>;
}

export function stateOf({ kind, status, heldAt, startAt, info, progress }: TaskStatus): [StateShape, string] {
  if (heldAt !== null) return ["held", "held"];
  if (status === "pending")
    return ["waiting", startAt === null ? "not started" : `starts ${timeText(startAt)}`];
  if (status === "started") return ["queued", "waiting"];
  if (status === "running") return ["running", "running"];
  if (status === "error")
    return info?.errorName === "Cancelled" ? ["stopped", "cancelled"] : ["failed", "failed"];
  if (isTotalLoss(progress)) return ["failed", kind === "plan" ? "would fail" : "failed"];
  if (openFailuresOf(progress) > 0) return ["partial", "complete"];
  return progress.repaired > 0 ? ["done", "repaired"] : ["done", "complete"];
}

const shapes: Record<string, StateShape> = {
  created: "created",
  updated: "updated",
  unchanged: "unchanged",
  deleted: "deleted",
  published: "done",
  unpublished: "stopped",
};

/** An operation's action by shape and word: what it did, or would do by a plan. */
export const ActionState = ({ action, isPlan }: { action: string; isPlan: boolean }) => (
  <State shape={shapes[action] ?? "done"}>{isPlan ? (plannedWords[action] ?? action) : action}</State>
);

/** An operation's outcome: its action, or that it failed, wholly or partly; a plan's in words of what would be. */
export function LogState({
  entry: { status, action },
  isPlan,
}: {
  entry: Pick<LogRow, "status" | "action">;
  isPlan: boolean;
}) {
  if (status === "failure") return <State shape="failed">{isPlan ? "would fail" : "failed"}</State>;
  if (status === "partial")
    return <State shape="partial">{isPlan ? "would partly fail" : (action ?? "partial")}</State>;
  return <ActionState action={action ?? "done"} isPlan={isPlan} />;
}
