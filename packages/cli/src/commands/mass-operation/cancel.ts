import { Command } from "commander";
import { type Context, confirm, json } from "../../context.ts";
import { type TenantFlags, withExamples, withTenant } from "../../options.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { figures } from "../../task/report.ts";
import { cancelTask } from "../../task/task.ts";

/** `lading mass-operation cancel <task>`: what was executed stays, the rest is not attempted. */
export function command(context: Context): Command {
  const cancel = new Command("cancel")
    .description("Cancels a task: executed operations stay, the others are not attempted.")
    .argument("<task>", "the task's id, as `run` prints it")
    .action((taskId: string, flags: TenantFlags) => cancelled(context, taskId, flags));
  return withExamples(withTenant(cancel), "lading mass-operation cancel 6561f0c2a1b2c3d4e5f60718");
}

async function cancelled(context: Context, taskId: string, flags: TenantFlags): Promise<void> {
  const { tenant, endpoint } = await taskEndpoint(context, taskId, flags);
  const task = await cancelTask(endpoint, taskId);
  if (flags.json) return json(context.stdout, { tenant, task });
  confirm(context, `Task ${taskId} is cancelled: ${figures(task)}.`);
}
