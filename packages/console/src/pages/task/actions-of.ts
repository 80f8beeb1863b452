import { executedOf, operationsOf } from "../task-model/progress-bar.tsx";
import type { TaskDetails } from "./documents.ts";

/** A step that the reader may take on a task. */
export type Action = "start" | "resume" | "hold" | "cancel" | "retry" | "undo" | "follow";

/** The steps that a task allows as it is. The service says why, where it refuses one all the same. */
export function actionsOf({
  kind,
  status,
  heldAt,
  endedAt,
  ofTask,
  progress,
  prunedAt,
  retries,
}: TaskDetails): Action[] {
  if (status === "pending") return ["start", "cancel"];
  if (endedAt === null && kind === "plan") return ["cancel"];
  if (endedAt === null) return [heldAt === null ? "hold" : "resume", "cancel"];
  if (prunedAt !== null) return [];
  if (kind === "plan") return status === "complete" && ofTask === null ? ["follow"] : [];
  const isRetried = retries.length > 0;
  const rest = (operationsOf(progress) ?? 0) - executedOf(progress);
  const hasRest = rest + progress.failed + progress.partial > 0;
  return [
    ...(kind !== "undo" && hasRest && !isRetried ? (["retry"] as const) : []),
    ...(executedOf(progress) > 0 ? (["undo"] as const) : []),
  ];
}
