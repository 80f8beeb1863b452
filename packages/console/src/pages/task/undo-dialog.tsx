import { useState } from "react";
import { success } from "../../api/errors.ts";
import { ConfirmDialog } from "../../ui/feedback/dialog.tsx";
import { countOf } from "../../ui/format.ts";
import { Check } from "../../ui/input/field.tsx";
import { shortId } from "../../ui/values/id.tsx";
import { type TaskDetails, undoDocument } from "./documents.ts";
import { useOpenTask, useTaskChange } from "./task-change.ts";

/** Asks before a task is undone, or before the undo is planned, and opens what comes of it. */
export function UndoDialog({ task, onClose }: { task: TaskDetails; onClose: () => void }) {
  const change = useTaskChange();
  const open = useOpenTask();
  const [plan, setPlan] = useState(true);
  return (
    <ConfirmDialog
      title="Undo this task?"
      description={`A new task takes back what ${countOf(task.progress.succeeded + task.progress.partial, "operation")} did, from the last to the first. What others have changed since is never overwritten.`}
      verb={plan ? "Plan the undo" : "Undo"}
      isDestructive={!plan}
      onClose={onClose}
      onConfirm={async () => {
        const { undoBulkTask } = await change(undoDocument, { id: task.id, plan });
        await open(success(undoBulkTask).id);
      }}
    >
      <Check checked={plan} onChange={(event) => setPlan(event.target.checked)} note="It changes nothing.">
        Show first what the undo would do
      </Check>
    </ConfirmDialog>
  );
}

/** Asks before a task is undone of which a plan has shown what that would do. */
export function PlannedUndoDialog({ task, onClose }: { task: TaskDetails; onClose: () => void }) {
  const change = useTaskChange();
  const open = useOpenTask();
  const id = task.ofTask ?? "";
  return (
    <ConfirmDialog
      title="Undo as planned?"
      description={`A new task undoes task ${shortId(id)}. What was changed since the plan is never overwritten: then it does less than the plan has shown.`}
      verb="Undo"
      isDestructive
      onClose={onClose}
      onConfirm={async () => {
        const { undoBulkTask } = await change(undoDocument, { id, plan: false });
        await open(success(undoBulkTask).id);
      }}
    />
  );
}
