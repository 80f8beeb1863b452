import { State, type StateShape } from "../../ui/values/state.tsx";
import type { LogRow } from "./task.ts";

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
