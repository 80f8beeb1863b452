import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/use-tenant.ts";
import { countOf } from "../../ui/format.ts";
import { shortId } from "../../ui/values/id.tsx";
import { TaskState } from "../task-model/task-state.tsx";
import type { TaskDetails } from "./documents.ts";
import { taskQuery } from "./live-task.ts";
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
          Retried by <TaskLink id={retry.id} />
          <RetryOutcome retry={retry} />
        </li>
      ))}
      {undoneBy !== null && (
        <li>
          Undone by <Undo id={undoneBy} />
        </li>
      )}
    </ul>
  );
}

/** The state of a retry and the operations that it repaired, unless it was undone: then by which undo. */
function RetryOutcome({ retry }: { retry: TaskDetails["retries"][number] }) {
  if (retry.undoneBy !== null)
    return (
      <>
        , undone by <Undo id={retry.undoneBy} />
      </>
    );
  const { succeeded } = retry.progress;
  return (
    <>
      {" "}
      <TaskState task={retry} />
      {succeeded > 0 && <>, {countOf(succeeded, "operation")} repaired</>}
    </>
  );
}

/** The newest undo of a task: it may not have ended yet, or be taken back itself. */
function Undo({ id }: { id: string }) {
  const { data } = useQuery(taskQuery(useTenant(), id));
  return (
    <>
      <TaskLink id={id} /> {data && <TaskState task={data} />}
      {data && data.undoneBy !== null && ", which was undone itself"}
    </>
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
