import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTenant } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/feedback/dialog.tsx";
import { countOf } from "../../ui/format.ts";
import { Check } from "../../ui/input/field.tsx";
import { Expected } from "../plan/expected.tsx";
import { changedOf } from "../task-model/progress.ts";
import { fileNameOf } from "../task-model/task.ts";
import { followRefusal, undoRefusal } from "./actions-of.ts";
import { type TaskDetails, undoDocument } from "./documents.ts";
import { taskQuery } from "./live-task.ts";
import { useTaskCreation } from "./task-change.ts";

/** Asks before a task is undone, or its undo planned, and opens the new task. */
export function UndoDialog({ task, onClose }: { task: TaskDetails; onClose: () => void }) {
  const create = useTaskCreation();
  const tenant = useTenant();
  const [plan, setPlan] = useState(true);
  const { data: undo } = useQuery({
    ...taskQuery(tenant, task.undoneBy ?? ""),
    enabled: task.undoneBy !== null,
  });
  return (
    <ConfirmDialog
      title="Undo this task?"
      description={`A new task undoes ${countOf(changedOf(task.progress), "operation")} that changed something, from the last to the first. Later changes by others are never overwritten.`}
      verb={plan ? "Plan the undo" : "Undo"}
      isDestructive={!plan}
      refusal={undoRefusal(task, undo)}
      onClose={onClose}
      onConfirm={(signal) => create(undoDocument, { id: task.id, plan }, signal)}
    >
      <Check
        checked={plan}
        onChange={(event) => setPlan(event.target.checked)}
        note="The preview changes nothing."
      >
        Preview the undo first
      </Check>
    </ConfirmDialog>
  );
}

/** Asks before undoing a task whose undo was planned. */
export function PlannedUndoDialog({ task, onClose }: { task: TaskDetails; onClose: () => void }) {
  const create = useTaskCreation();
  const id = task.ofTask ?? "";
  return (
    <ConfirmDialog
      title="Undo as planned?"
      description={`A new task undoes ${fileNameOf(task.key) ?? "the task"}. Changes made since the plan are never overwritten: the undo may do less than planned.`}
      verb="Undo"
      isDestructive
      refusal={followRefusal(task)}
      onClose={onClose}
      onConfirm={(signal) => create(undoDocument, { id, plan: false }, signal)}
    >
      <Expected plan={task} />
    </ConfirmDialog>
  );
}
