import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { cancelTask } from "../../task/task.ts";
import { stateCommand } from "./state-command.ts";

/** `lading mass-operation cancel <task>`: executed operations stay, the others are not attempted. */
export const command = (context: Context): Command =>
  stateCommand(context, {
    name: "cancel",
    description: "Cancels a task: executed operations stay, the others are not attempted.",
    done: "is cancelled",
    change: cancelTask,
  });
