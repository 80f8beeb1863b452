import { State, type StateShape } from "../../ui/values/state.tsx";
import type { Task } from "./task.ts";

type TaskStatus = Pick<Task, "status" | "heldAt" | "info" | "progress">;

/** The state of a task by shape and word. A task that is complete and has failures says so. */
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
  return progress.failed + progress.partial > 0 ? ["partial", "complete"] : ["done", "complete"];
}
