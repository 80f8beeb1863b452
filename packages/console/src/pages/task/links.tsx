import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { shortId } from "../../ui/values/id.tsx";
import { outcomeText, repairedText, undoneText } from "../task-model/outcome.ts";
import { TaskName, TaskState } from "../task-model/states.tsx";
import type { Task } from "../task-model/task.ts";
import type { TaskDetails } from "./documents.ts";
import { taskQuery } from "./live-task.ts";
import styles from "./task.module.css";

/** The tasks a task retries, undoes or follows, and those that retry, undo or follow it. */
export function TaskLinks({ task }: { task: TaskDetails }) {
  const { ofTask, undoneBy, retries, kind, followedBy } = task;
  if (ofTask === null && undoneBy === null && followedBy === null && retries.length === 0) return null;
  return (
    <ul className={styles.links}>
      {ofTask !== null && (
        <li>
          {{ retry: "Retries", undo: "Undoes", plan: "Plans to undo", run: "Follows" }[kind]}{" "}
          <OtherTask id={ofTask} />
        </li>
      )}
      {followedBy !== null && (
        <li>
          Followed by <OtherTask id={followedBy} />
        </li>
      )}
      {retries.map((retry) => (
        <li key={retry.id}>
          Retried by <TaskLink id={retry.id} task={retry} /> <TaskState task={retry} />: {repairedText(retry)}
          {retry.undoneBy !== null && (
            <>
              . <Undo id={retry.undoneBy} />
            </>
          )}
        </li>
      ))}
      {undoneBy !== null && (
        <li>
          <Undo id={undoneBy} />
        </li>
      )}
    </ul>
  );
}

/** The outcome of a task's newest undo; it may not have ended, or may itself be undone. */
function Undo({ id }: { id: string }) {
  const { data: undo } = useQuery({
    ...taskQuery(useTenant(), id),
    refetchInterval: ({ state: { data } }) => (data?.endedAt === null ? 2_000 : false),
  });
  if (undo === undefined) return <TaskLink id={id} />;
  return (
    <>
      {undoneText(undo)} by <TaskLink id={id} task={undo} /> <TaskState task={undo} />: {outcomeText(undo)}
      {undo.undoneBy !== null && ", which was itself undone"}
    </>
  );
}

function OtherTask({ id }: { id: string }) {
  const { data } = useQuery(taskQuery(useTenant(), id));
  return <TaskLink id={id} task={data} />;
}

/** A link to a task by its kind and file; by its id until they are known. */
function TaskLink({ id, task }: { id: string; task?: Pick<Task, "kind" | "key" | "ofTask"> | undefined }) {
  const tenant = useTenant();
  return (
    <Link to="/@{$tenant}/tasks/$task" params={{ tenant, task: id }} title={id}>
      {task === undefined ? <code>{shortId(id)}</code> : <TaskName task={task} />}
    </Link>
  );
}
