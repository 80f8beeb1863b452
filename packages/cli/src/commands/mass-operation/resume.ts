import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { resumeTask } from "../../task/task.ts";
import { stateCommand } from "./state-command.ts";

/** `lading mass-operation resume <task>`: the task continues where it was held. */
export const command = (context: Context): Command =>
  stateCommand(context, {
    name: "resume",
    description: "Resumes a held task at the operation where it was held.",
    done: "is resumed",
    change: resumeTask,
  });
