import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { useTenant } from "../../api/session.ts";
import { listedName, type Task } from "./task.ts";

interface TaskLinkProps {
  task: Pick<Task, "id" | "kind" | "key" | "ofTask">;
  /** -1 in a table, which is one Tab stop. */
  tabIndex?: number;
}

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

interface OperationLinkProps
  extends Pick<ComponentProps<"a">, "children" | "tabIndex" | "dir" | "aria-label"> {
  task: string;
  index: number;
}

export const OperationLink = ({ task, index, ...rest }: OperationLinkProps) => (
  <Link
    {...rest}
    to="/@{$tenant}/tasks/$task/operations/$index"
    params={{ tenant: useTenant(), task, index: `${index}` }}
  />
);
