import { Command } from "commander";
import { type Context, json, plain, table } from "../../context.ts";
import { type TenantFlags, withAll, withExamples, withTenant } from "../../options.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { figures, stateOf } from "../../task/report.ts";
import { findTask, type Task } from "../../task/task.ts";
import { printInfo } from "../../task/watch.ts";
import { watchWithUndo } from "../../task/watch-with-undo.ts";

interface Flags extends TenantFlags {
  all?: boolean;
  watch?: boolean;
}

/** `lading mass-operation status <task>`: a task's progress; `--watch` follows it to its end, as `run` does. */
export function command(context: Context): Command {
  const status = new Command("status")
    .description("Shows the progress of a task.")
    .argument("<task>", "the task's id, as `run` prints it")
    .option("--watch", "follow the task to its end like `run`, with the exit codes of `run`")
    .action((taskId: string, flags: Flags) => showStatus(context, taskId, flags));
  return withExamples(
    withTenant(withAll(status)),
    "lading mass-operation status 6561f0c2a1b2c3d4e5f60718",
    "lading mass-operation status 6561f0c2a1b2c3d4e5f60718 --watch",
  );
}

async function showStatus(context: Context, taskId: string, flags: Flags): Promise<void> {
  const { tenant, endpoint } = await taskEndpoint(context, taskId, flags);
  if (flags.watch) return watchWithUndo(context, endpoint, taskId, { ...flags, tenant });
  const task = await findTask(endpoint, taskId);
  if (flags.json) return json(context.stdout, { tenant, task });
  const undo = task.undoneBy === null ? null : await findTask(endpoint, task.undoneBy);
  table(context.stdout, rowsOf(tenant, task, undo));
  printInfo(context, task);
}

function rowsOf(tenant: string, task: Task, undo: Task | null): string[][] {
  const { id, createdAt, startAt, startedAt, endedAt, errorCount, warningCount } = task;
  const rows = [
    ["task", id],
    ["tenant", tenant],
    ["status", plain(stateOf(task))],
    ["progress", figures(task)],
    ["file", `${errorCount} errors, ${warningCount} warnings`],
    ["created", createdAt],
    ["starts at", startAt && plain(startAt)],
    ["started", startedAt],
    ["ended", endedAt],
    ["undone by", undo && `${undo.id}, ${plain(stateOf(undo))}, ${figures(undo)}`],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null);
}
