import { Command } from "commander";
import { type Context, count, counted, json, plain, table } from "../../context.ts";
import { type TenantFlags, withExamples, withTenant } from "../../options.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { secondsOf, type TaskDetails, taskDetails } from "../../task/details.ts";
import { duration, elapsed } from "../../task/pace.ts";
import { figures, stateOf } from "../../task/report.ts";
import { printInfo } from "../../task/watch.ts";

/** `lading task show <task>`: a task with its progress, its timings and the number of issues in its file. */
export function command(context: Context): Command {
  const show = new Command("show")
    .description(
      "Shows a task: its progress, its timings, its settings and the number of issues in its file.",
    )
    .argument("<task>", "the task's id, as `mass-operation list` prints it")
    .action((taskId: string, flags: TenantFlags) => showTask(context, taskId, flags));
  return withExamples(
    withTenant(show),
    "lading task show 6561f0c2a1b2c3d4e5f60718",
    "lading task show 6561f0c2a1b2c3d4e5f60718 --tenant acme --json",
  );
}

async function showTask(context: Context, taskId: string, flags: TenantFlags): Promise<void> {
  const { tenant, endpoint } = await taskEndpoint(context, taskId, flags);
  const task = await taskDetails(endpoint, taskId);
  if (flags.json) return json(context.stdout, { tenant, task });
  const rows = [["task", task.id], ["tenant", tenant], ...progressRows(task), ...timeRows(task)];
  table(
    context.stdout,
    [...rows, ...fileRows(task)].filter((row): row is string[] => row[1] !== undefined),
  );
  printInfo(context, task);
}

type Row = [name: string, value: string | undefined];

function progressRows(task: TaskDetails): Row[] {
  const { operationsPerSecond: rate, secondsLeft } = task.execution;
  return [
    ["type", task.type],
    [
      "kind",
      task.ofTask === null
        ? task.kind
        : `${task.kind} ${task.kind === "run" ? "by plan" : "of"} ${task.ofTask}`,
    ],
    ["status", plain(stateOf(task))],
    ["progress", figures(task)],
    ["speed", rate === null ? undefined : `${count(Math.round(rate * 10) / 10)} operations/s`],
    ["left", secondsLeft === null ? undefined : duration(secondsLeft)],
  ];
}

function timeRows({ createdAt, startAt, startedAt, heldAt, endedAt, execution }: TaskDetails): Row[] {
  const first = execution.startedAt;
  return [
    ["created", createdAt],
    ["starts at", startAt === null ? undefined : plain(startAt)],
    ["started", timed(startedAt, "after its creation", secondsOf(createdAt, startedAt))],
    [
      "first operation",
      timed(first, "of checking the file and waiting for its turn", secondsOf(startedAt, first)),
    ],
    ["last commit", timed(execution.updatedAt, "of execution", secondsOf(first, execution.updatedAt))],
    ["held", heldAt ?? undefined],
    ["ended", timed(endedAt, "in total", secondsOf(startedAt, endedAt))],
  ];
}

/** `2030-01-31T12:00:00.000Z (2 s of execution)` */
function timed(time: string | null, what: string, seconds: number | undefined): string | undefined {
  if (time === null) return undefined;
  return seconds === undefined ? time : `${time} (${elapsed(Math.max(seconds, 0))} ${what})`;
}

function fileRows({ key, sha256, errorCount, warningCount, strict, ...task }: TaskDetails): Row[] {
  const { maxFailures, holdAfter, holdOnFailures, prunedAt } = task;
  return [
    ["file", plain(key)],
    ["sha256", sha256 ?? undefined],
    ["issues", `${counted(errorCount, "error")}, ${counted(warningCount, "warning")}`],
    ["strict", strict ? "yes" : "no"],
    ["max failures", maxFailures === null ? "no limit" : count(maxFailures)],
    ["on failure", task.onFailure === null ? undefined : "undo"],
    ["undone by", task.undoneBy ?? undefined],
    ["hold after", holdAfter === null ? undefined : counted(holdAfter, "operation")],
    ["hold on", holdOnFailures === null ? undefined : counted(holdOnFailures, "failure")],
    ["pruned", prunedAt ?? undefined],
  ];
}
