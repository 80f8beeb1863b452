import type { RateSample } from "../../ui/values/rate-line.tsx";
import { executedOf } from "../task-model/progress.ts";
import type { Task } from "../task-model/task.ts";

/** The rate between two states of a task; undefined if less than a second of work lies between them. */
export function rateBetween(before: Task | undefined, after: Task): RateSample | undefined {
  const from = Date.parse(before?.progress.updatedAt ?? before?.progress.startedAt ?? "");
  const at = Date.parse(after.progress.updatedAt ?? "");
  if (before === undefined || !(at - from >= 1_000)) return undefined;
  return { at, rate: ((executedOf(after.progress) - executedOf(before.progress)) / (at - from)) * 1_000 };
}
