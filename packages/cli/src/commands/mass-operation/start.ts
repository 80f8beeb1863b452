import { Command } from "commander";
import { type Context, confirm, json, plain } from "../../context.ts";
import { type TenantFlags, withExamples, withTenant } from "../../options.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { hint } from "../../task/hint.ts";
import { isHeld, scheduleTask, startTask, type Task } from "../../task/task.ts";
import { atDate } from "./dates.ts";

/** The value of `--at` that removes the date. */
const none = "none";

interface Flags extends TenantFlags {
  at?: string;
}

/** `lading mass-operation start <task>`: starts a pending task, now or at a date. */
export function command(context: Context): Command {
  const start = new Command("start")
    .description("Starts a pending task now, or changes the date at which it starts.")
    .argument("<task>", "the task's id, as `run --at` prints it")
    .option(
      "--at <date>",
      "start it at this date instead, such as 2026-12-01T06:00+01:00; `none` removes its date",
      (text) => (text === none ? none : atDate(text)),
    )
    .action((taskId: string, flags: Flags) => changeStart(context, taskId, flags));
  return withExamples(
    withTenant(start),
    "lading mass-operation start 6561f0c2a1b2c3d4e5f60718",
    "lading mass-operation start 6561f0c2a1b2c3d4e5f60718 --at 2026-12-01T06:00+01:00",
    "lading mass-operation start 6561f0c2a1b2c3d4e5f60718 --at none",
  );
}

async function changeStart(context: Context, taskId: string, flags: Flags): Promise<void> {
  const { tenant, endpoint } = await taskEndpoint(context, taskId, flags);
  const { at } = flags;
  const task = await (at === undefined
    ? startTask(endpoint, taskId)
    : scheduleTask(endpoint, taskId, at === none ? null : at));
  if (flags.json) return json(context.stdout, { tenant, task });
  const held = isHeld(task) ? `, and held: ${hint("resume", taskId, { ...flags, tenant })} resumes it` : "";
  confirm(context, `Task ${taskId} ${doneTo(task)}${held}.`);
}

function doneTo({ status, startAt }: Task): string {
  if (status !== "pending") return "is started";
  return startAt === null ? "has no date: it waits to be started" : `starts at ${plain(startAt)}`;
}
