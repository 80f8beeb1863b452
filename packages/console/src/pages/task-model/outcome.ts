import { type Action, actions } from "@lading/schema/internal/bulk-task";
import { countOf, numberText } from "../../ui/format.ts";
import { executedOf, openFailuresOf } from "./progress.ts";
import type { Task } from "./task.ts";

type Outcome = Pick<Task, "kind" | "status" | "endedAt" | "info" | "progress">;

/** True if a task has executed operations, and none of them has had an effect: all failed. */
export const isTotalLoss = ({ succeeded, partial, failed, repaired }: Task["progress"]) =>
  failed > 0 && succeeded + partial + repaired === 0;

/**
 * Describes the outcome of a task: `1,954 of 1,954 operations failed`, or `40 operations, 12 of them partly failed`.
 * A plan's `would fail`.
 */
export function outcomeText({ kind, status, progress }: Outcome): string {
  const { failed, partial, total, processed } = progress;
  const executed = executedOf(progress);
  const fail = kind === "plan" ? "would fail" : "failed";
  const left = status === "error" && total !== null ? total - processed : 0;
  return [
    failed > 0
      ? `${numberText(failed)} of ${countOf(executed, "operation")} ${fail}`
      : countOf(executed, "operation"),
    ...(partial > 0
      ? [`${numberText(partial)} ${kind === "plan" ? "would partly fail" : "partly failed"}`]
      : []),
    ...(left > 0 ? [`${numberText(left)} not attempted`] : []),
  ].join(", ");
}

/** Describes what a plan would do: `68 operations: 61 would create, 3 would update, 1 would fail`. */
export function expectedText(progress: Task["progress"]): string {
  const parts = [
    ...actions.map((action) => [progress[action], plannedWords[action]] as const),
    [progress.partial, "of these would partly fail"] as const,
    [progress.failed, "would fail"] as const,
  ];
  const words = parts.flatMap(([count, words]) => (count > 0 ? `${numberText(count)} ${words}` : []));
  return `${countOf(executedOf(progress), "operation")}: ${words.join(", ") || "nothing"}`;
}

/** Describes the outcome of an undo, in the words before `by …`. */
export function undoneText({ endedAt, status, progress }: Outcome): string {
  if (endedAt === null) return "Being undone";
  const hasEffect = progress.succeeded + progress.partial > 0;
  if (status === "complete" && openFailuresOf(progress) === 0) return "Undone";
  return hasEffect ? "Undone in part" : "Not undone";
}

/** Describes the outcome of a retry, after its state: `, 3 of 5 operations repaired, 2 failed`. */
export function repairedText({ endedAt, progress }: Pick<Outcome, "endedAt" | "progress">): string {
  const { succeeded, failed, partial, toExecute } = progress;
  const open = failed + partial;
  if (endedAt !== null && succeeded + open === 0) return "no operations repaired";
  return [
    `${numberText(succeeded)} of ${countOf(toExecute ?? executedOf(progress), "operation")} repaired`,
    ...(open > 0 ? [`${numberText(open)} failed`] : []),
  ].join(", ");
}

/** The words for what an operation of a plan would do, by its action. */
export const plannedWords: Readonly<Record<Action, string> & Record<string, string>> = {
  created: "would create",
  updated: "would update",
  unchanged: "would not change",
  deleted: "would delete",
  published: "would publish",
  unpublished: "would unpublish",
};

/** A plan's message, which begins with its action like that of a run: `would create product "fern"`. */
export function plannedMessage(message: string | null): string | null {
  const [action] = /^[a-z]+/.exec(message ?? "") ?? [];
  const words = action === undefined ? undefined : plannedWords[action];
  if (message === null || action === undefined || words === undefined) return message;
  return words + message.slice(action.length).replace(/^:/, "");
}
