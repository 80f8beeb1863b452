import { Command } from "commander";
import { type Context, confirm, json } from "../../context.ts";
import { type TenantFlags, withExamples, withTenant } from "../../options.ts";
import type { Endpoint } from "../../service/graphql.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { figures } from "../../task/report.ts";
import { cancelTask, holdTask, resumeTask, type Task } from "../../task/task.ts";

interface StateCommand {
  readonly description: string;
  /** The predicate of the sentence that reports the change. */
  readonly done: string;
  readonly change: (endpoint: Endpoint, taskId: string) => Promise<Task>;
}

const commands = {
  cancel: {
    description: "Cancels a task: executed operations stay, the others are not attempted.",
    done: "is cancelled",
    change: cancelTask,
  },
  hold: {
    description: "Pauses a task after its current batch, until it is resumed.",
    done: "is held",
    change: holdTask,
  },
  resume: {
    description: "Resumes a held task at the operation where it was held.",
    done: "is resumed",
    change: resumeTask,
  },
} satisfies Record<string, StateCommand>;

/** Makes the command `lading mass-operation <name> <task>`. */
export function stateCommand(context: Context, name: keyof typeof commands): Command {
  const { description, done, change }: StateCommand = commands[name];
  const command = new Command(name)
    .description(description)
    .argument("<task>", "the task's id, as `run` prints it")
    .action(async (taskId: string, flags: TenantFlags) => {
      const { tenant, endpoint } = await taskEndpoint(context, taskId, flags);
      const task = await change(endpoint, taskId);
      if (flags.json) return json(context.stdout, { tenant, task });
      confirm(context, `Task ${taskId} ${done}: ${figures(task)}.`);
    });
  return withExamples(withTenant(command), `lading mass-operation ${name} 6561f0c2a1b2c3d4e5f60718`);
}
