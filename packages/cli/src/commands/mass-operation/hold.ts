import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { holdTask } from "../../task/task.ts";
import { stateCommand } from "./state-command.ts";

/** `lading mass-operation hold <task>`: pauses a task, which keeps its turn. */
export const command = (context: Context): Command =>
  stateCommand(context, {
    name: "hold",
    description: "Pauses a task after its current batch, until it is resumed.",
    done: "is held",
    change: holdTask,
  });
