import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/use-tenant.ts";
import { countOf } from "../../ui/format.ts";
import { shortId } from "../../ui/values/id.tsx";
import { TaskState } from "../task-model/task-state.tsx";
import type { TaskDetails } from "./documents.ts";
import styles from "./task.module.css";

/** The tasks that a task retries, undoes or follows, and those that retry or undo it. */
export function TaskLinks({ task }: { task: TaskDetails }) {
  const { ofTask, undoneBy, retries, kind } = task;
  if (ofTask === null && undoneBy === null && retries.length === 0) return null;
  return (
    <ul className={styles.links}>
      {ofTask !== null && (
        <li>
          {{ retry: "Retries", undo: "Undoes", plan: "Plans to undo", run: "Follows the plan" }[kind]}{" "}
          <TaskLink id={ofTask} />
        </li>
      )}
      {retries.map((retry) => (
        <li key={retry.id}>
          Retried by <TaskLink id={retry.id} /> <TaskState task={retry} />
          {retry.progress.succeeded > 0 && <>, {countOf(retry.progress.succeeded, "operation")} repaired</>}
        </li>
      ))}
      {undoneBy !== null && (
        <li>
          Undone by <TaskLink id={undoneBy} />
        </li>
      )}
    </ul>
  );
}

function TaskLink({ id }: { id: string }) {
  const tenant = useTenant();
  return (
    <Link to="/@{$tenant}/tasks/$task" params={{ tenant, task: id }} title={id}>
      <code>{shortId(id)}</code>
    </Link>
  );
}
