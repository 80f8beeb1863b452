import { useState } from "react";
import { success } from "../../api/errors.ts";
import { ConfirmDialog } from "../../ui/feedback/dialog.tsx";
import { numberText } from "../../ui/format.ts";
import { Check } from "../../ui/input/field.tsx";
import { executedOf, operationsOf } from "../task-model/progress-bar.tsx";
import { retryDocument, type TaskDetails } from "./documents.ts";
import { useOpenTask, useTaskChange } from "./task-change.ts";

type Outcome = "FAILED" | "PARTIAL" | "NOT_ATTEMPTED";

/** Asks which operations to execute again, and opens the retry. */
export function RetryDialog({ task, onClose }: { task: TaskDetails; onClose: () => void }) {
  const change = useTaskChange();
  const open = useOpenTask();
  const counts = countsOf(task);
  const [include, setInclude] = useState<readonly Outcome[]>(
    (["FAILED", "NOT_ATTEMPTED"] as const).filter((outcome) => counts[outcome] > 0),
  );
  const operations = include.reduce((sum, outcome) => sum + counts[outcome], 0);
  const toggle = (outcome: Outcome, isOn: boolean) =>
    setInclude((now) => (isOn ? [...now, outcome] : now.filter((other) => other !== outcome)));
  return (
    <ConfirmDialog
      title="Retry this task?"
      description="A new task executes these operations again, from the same file. Do it once the cause is gone."
      verb={`Retry ${numberText(operations)}`}
      onClose={onClose}
      onConfirm={async () => {
        const { retryBulkTask } = await change(retryDocument, { id: task.id, include: [...include] });
        await open(success(retryBulkTask).id);
      }}
    >
      {outcomes.map(([outcome, label, note]) => (
        <Check
          key={outcome}
          note={note}
          disabled={counts[outcome] === 0}
          checked={include.includes(outcome)}
          onChange={(event) => toggle(outcome, event.target.checked)}
        >
          {numberText(counts[outcome])} {label}
        </Check>
      ))}
    </ConfirmDialog>
  );
}

const outcomes: [Outcome, string, string][] = [
  ["FAILED", "that failed", "They have left nothing behind."],
  ["NOT_ATTEMPTED", "that were not attempted", "The task ended before it came to them."],
  ["PARTIAL", "that were executed in part", "This may repeat what they did."],
];

function countsOf({ progress }: TaskDetails): Record<Outcome, number> {
  const rest = (operationsOf(progress) ?? 0) - executedOf(progress);
  return { FAILED: progress.failed, PARTIAL: progress.partial, NOT_ATTEMPTED: Math.max(0, rest) };
}
