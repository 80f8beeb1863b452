import type { TokenRole } from "@lading/schema/internal";
import { useState } from "react";
import { success } from "../../api/errors.ts";
import { useRole } from "../../api/session.ts";
import { type Confirmation, ConfirmDialog } from "../../ui/feedback/dialog.tsx";
import { countOf, numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { Expected } from "../plan/expected.tsx";
import { executedOf, operationsOf } from "../task-model/progress.ts";
import { fileNameOf, taskName } from "../task-model/task.ts";
import { type Action, actionsOf, followRefusal } from "./actions-of.ts";
import {
  cancelDocument,
  followDocument,
  holdDocument,
  resumeDocument,
  startDocument,
  type TaskDetails,
} from "./documents.ts";
import { RetryDialog } from "./retry-dialog.tsx";
import styles from "./task.module.css";
import { useTaskChange, useTaskCreation } from "./task-change.ts";
import { PlannedUndoDialog, UndoDialog } from "./undo-dialog.tsx";

const words: Record<Action, string> = {
  start: "Start",
  resume: "Resume",
  hold: "Hold",
  cancel: "Cancel",
  retry: "Retry",
  undo: "Undo",
  follow: "Run this plan",
};

/** The actions that a waiting task needs first. */
const primary: readonly Action[] = ["start", "resume", "follow"];

export function TaskActions({ task }: { task: TaskDetails }) {
  const [asked, setAsked] = useState<Action>();
  const role = useRole();
  const close = () => setAsked(undefined);
  const offered = actionsOf(task);
  const actions = offered.filter((action) => mayDo(role, action, task));
  // The task has changed since the question was asked: by this action, by somebody else, or by its end. What was pruned
  // meanwhile is refused with advice, which stays.
  if (asked !== undefined && isPlain(asked) && task.prunedAt === null && !actions.includes(asked)) close();
  return (
    <>
      {actions.length === 0 && offered.length > 0 && <span className="muted">{refusal(role, offered)}</span>}
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map((action) => (
            <Button
              key={action}
              kind={primary.includes(action) ? "primary" : undefined}
              onClick={() => setAsked(action)}
            >
              {words[action]} …
            </Button>
          ))}
        </div>
      )}
      {asked === "retry" && <RetryDialog task={task} onClose={close} />}
      {asked === "undo" && task.kind === "plan" && <PlannedUndoDialog task={task} onClose={close} />}
      {asked === "undo" && task.kind !== "plan" && <UndoDialog task={task} onClose={close} />}
      {asked !== undefined && isPlain(asked) && <PlainDialog action={asked} task={task} onClose={close} />}
    </>
  );
}

const mayDo = (role: TokenRole, action: Action, { isOwnPlan }: TaskDetails): boolean =>
  role === "admin" || (isOwnPlan && (action === "start" || action === "cancel"));

const refusal = (role: TokenRole, offered: readonly Action[]): string =>
  offered.includes("follow") && role === "planner"
    ? "An admin can run this plan: you have the role planner."
    : `Read-only: you have the role ${role}.`;

type PlainAction = Exclude<Action, "retry" | "undo">;

const isPlain = (action: Action): action is PlainAction => action !== "retry" && action !== "undo";

/** Asks to confirm an action without options. */
function PlainDialog({
  action,
  task,
  onClose,
}: {
  action: PlainAction;
  task: TaskDetails;
  onClose: () => void;
}) {
  const change = useTaskChange();
  const create = useTaskCreation();
  const { id } = task;
  const name = taskName(task);
  const [executed, total] = [executedOf(task.progress), operationsOf(task)];
  const confirmations: Record<PlainAction, Omit<Confirmation, "verb">> = {
    start: {
      title: `Start ${name}?`,
      description: "The file is checked, then executed if it has no errors.",
      onConfirm: async () => success((await change(startDocument, { id })).startMassOperationBulkTask),
    },
    resume: {
      title: `Resume ${name}?`,
      description: `${numberText(executed)} of ${countOf(total ?? executed, "operation")} have been executed; ${numberText(task.progress.failed)} of them failed. Execution continues with the next one.`,
      onConfirm: async () => success((await change(resumeDocument, { id })).resumeBulkTask),
    },
    hold: {
      title: `Hold ${name}?`,
      description:
        "It finishes its current batch, then waits until it is resumed. Tasks started later wait too.",
      onConfirm: async () => success((await change(holdDocument, { id })).holdBulkTask),
    },
    cancel: {
      title: `Cancel ${name}?`,
      description: cancelText(task),
      isDestructive: true,
      onConfirm: async () => success((await change(cancelDocument, { id })).cancelMassOperationBulkTask),
    },
    follow: {
      title: `Run ${fileNameOf(task.key) ?? "this file"} as planned?`,
      description:
        "The run does at most what the plan shows: an operation fails if its rows have changed since.",
      refusal: followRefusal(task),
      children: <Expected plan={task} />,
      onConfirm: (signal) => create(followDocument, { plan: id }, signal),
    },
  };
  return <ConfirmDialog verb={words[action]} {...confirmations[action]} onClose={onClose} />;
}

/** Describes what cancelling a task keeps, and what it leaves out. */
function cancelText(task: TaskDetails): string {
  const [executed, total] = [executedOf(task.progress), operationsOf(task)];
  if (task.kind === "plan") return "The plan ends and cannot be run. It has changed nothing.";
  if (total === null || executed === 0) return "Nothing has been executed, and nothing will be.";
  return `${countOf(executed, "operation")} executed so far will be kept; the other ${numberText(total - executed)} will not be attempted.`;
}
