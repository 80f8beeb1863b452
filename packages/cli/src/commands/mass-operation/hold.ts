import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { holdTask } from "../../task/task.ts";
import { stateCommand } from "./state-command.ts";

/** `lading mass-operation hold <task>`: its open batch ends, and it keeps its turn. */
export const command = (context: Context): Command =>
  stateCommand(context, {
    name: "hold",
    description: "Holds a task: its open batch ends, and it continues when it is resumed.",
    done: "is held",
    change: holdTask,
  });
