import { State, type StateShape } from "../../ui/values/state.tsx";
import { openFailuresOf } from "./progress.ts";
import type { LogRow, Task } from "./task.ts";

type TaskStatus = Pick<Task, "status" | "heldAt" | "info" | "progress">;

/** A task's state by shape and word. A complete one says whether it has, or had, failures. */
export function TaskState({ task }: { task: TaskStatus }) {
  const [shape, word] = stateOf(task);
  return <State shape={shape}>{word}</State>;
}

function stateOf({ status, heldAt, info, progress }: TaskStatus): [StateShape, string] {
  if (heldAt !== null) return ["held", "held"];
  if (status === "pending") return ["waiting", "not started"];
  if (status === "started") return ["queued", "waiting"];
  if (status === "running") return ["running", "running"];
  if (status === "error")
    return info?.errorName === "Cancelled" ? ["stopped", "cancelled"] : ["failed", "failed"];
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

/** An operation's outcome: its action, or that it failed, wholly or partly. */
export function LogState({ entry: { status, action } }: { entry: Pick<LogRow, "status" | "action"> }) {
  if (status === "failure") return <State shape="failed">failed</State>;
  if (status === "partial") return <State shape="partial">{action ?? "partial"}</State>;
  return <State shape={shapes[action ?? ""] ?? "done"}>{action ?? "done"}</State>;
}
