import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { countOf } from "../../ui/format.ts";
import { shortId } from "../../ui/values/id.tsx";
import { TaskState } from "../task-model/states.tsx";
import type { TaskDetails } from "./documents.ts";
import { taskQuery } from "./live-task.ts";
import styles from "./task.module.css";

/** The tasks a task retries, undoes or follows, and those that retry or undo it. */
export function TaskLinks({ task }: { task: TaskDetails }) {
  const { ofTask, undoneBy, retries, kind } = task;
  if (ofTask === null && undoneBy === null && retries.length === 0) return null;
  return (
    <ul className={styles.links}>
      {ofTask !== null && (
        <li>
          {{ retry: "Retries", undo: "Undoes", plan: "Plans to undo", run: "Follows plan" }[kind]}{" "}
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

/** A retry's state and the number of operations it repaired or, if it was undone, the undo. */
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

/** A task's newest undo, which may not have ended, or may itself be undone. */
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
