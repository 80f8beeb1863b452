import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/feedback/dialog.tsx";
import { numberText } from "../../ui/format.ts";
import { Check } from "../../ui/input/field.tsx";
import { Command } from "../../ui/values/id.tsx";
import { fileNameOf } from "../task-model/task.ts";
import { notAttemptedOf, retryRefusal } from "./actions-of.ts";
import { retryCommand } from "./commands.ts";
import { openDocument, retryDocument, type TaskDetails } from "./documents.ts";
import { useTaskCreation } from "./task-change.ts";

type Outcome = "FAILED" | "PARTIAL" | "NOT_ATTEMPTED";

interface RetryProps {
  task: TaskDetails;
  onClose: () => void;
}

/** Asks which operations to execute again, and opens the retry. */
export function RetryDialog({ task, onClose }: RetryProps) {
  const tenant = useTenant();
  const { data, error } = useQuery({
    gcTime: 0,
    queryKey: ["task", tenant, task.id, "open"],
    queryFn: ({ signal }) => request(tenant, openDocument, { id: task.id }, signal),
  });
  if (error !== null)
    return (
      <ConfirmDialog
        title={titleOf(task)}
        description="Which operations can be executed again could not be read."
        verb="Retry"
        refusal={messageOf(error)}
        onClose={onClose}
      />
    );
  if (data === undefined) return null;
  const counts = {
    FAILED: data.failed?.totalCount ?? 0,
    PARTIAL: data.partial?.totalCount ?? 0,
    NOT_ATTEMPTED: notAttemptedOf(task),
  };
  return <Question task={task} counts={counts} onClose={onClose} />;
}

const titleOf = ({ key }: TaskDetails) => `Retry ${fileNameOf(key) ?? "this task"}?`;

function Question({ task, counts, onClose }: RetryProps & { counts: Record<Outcome, number> }) {
  const tenant = useTenant();
  const create = useTaskCreation();
  // A task has at most one retry, which in turn can have one.
  const { id } = task.retries.at(-1) ?? task;
  const [include, setInclude] = useState<readonly Outcome[]>(
    (["FAILED", "NOT_ATTEMPTED"] as const).filter((outcome) => counts[outcome] > 0),
  );
  const operations = include.reduce((sum, outcome) => sum + counts[outcome], 0);
  const toggle = (outcome: Outcome, isOn: boolean) =>
    setInclude((now) => (isOn ? [...now, outcome] : now.filter((other) => other !== outcome)));
  return (
    <ConfirmDialog
      title={titleOf(task)}
      description="A new task executes these operations again, from the same file. Fix the cause first."
      verb={`Retry ${numberText(operations)}`}
      refusal={retryRefusal(task, operations)}
      onClose={onClose}
      onConfirm={(signal) => create(retryDocument, { id, include: [...include] }, signal)}
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
      {operations > 0 && (
        <p>
          <Command text={retryCommand({ id, tenant, url: location.origin }, include)} />
        </p>
      )}
    </ConfirmDialog>
  );
}

const outcomes: [Outcome, string, string][] = [
  ["FAILED", "failed", "They changed nothing."],
  ["NOT_ATTEMPTED", "not attempted", "The task ended before it reached them."],
  ["PARTIAL", "partly failed", "Retrying them may repeat what they did."],
];
