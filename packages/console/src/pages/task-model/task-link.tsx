import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { listedName, type Task } from "./task.ts";

interface TaskLinkProps {
  task: Pick<Task, "id" | "kind" | "key" | "ofTask">;
  /** -1 in a table, which is one Tab stop. */
  tabIndex?: number;
}

/** A link to a task by its name; its id on hover. */
export function TaskLink({ task, tabIndex }: TaskLinkProps) {
  return (
    <Link
      to="/@{$tenant}/tasks/$task"
      params={{ tenant: useTenant(), task: task.id }}
      title={`${listedName(task)}, task ${task.id}`}
      tabIndex={tabIndex}
    >
      <bdi>{listedName(task)}</bdi>
    </Link>
  );
}
