import { type Context, confirm, counted, json, line } from "../context.ts";
import { exitCode } from "../exit.ts";
import type { Endpoint } from "../service/graphql.ts";
import { hint } from "./hint.ts";
import type { Task } from "./task.ts";
import { jsonOf, printResult, type Seen, type WatchOptions, watch } from "./watch.ts";

/**
 * Shows a task as `watch` does, and the undo that began when it failed, if it is all or nothing; says what the undo has
 * left, and sets the exit code accordingly.
 */
export async function watchWithUndo(
  context: Context,
  endpoint: Endpoint,
  taskId: string,
  options: WatchOptions,
): Promise<void> {
  const run = await seenBy(context, endpoint, taskId, options);
  const undoId = run.task ? failureUndoOf(run.task) : null;
  if (undoId === null) return printResult(context, run, options);
  if (!options.json) {
    printResult(context, run, options);
    confirm(context, `Task ${undoId} undoes task ${taskId}.`);
  }
  const { positions: _, ...ofUndo } = options;
  const undo = await seenBy(context, endpoint, undoId, ofUndo);
  if (options.json) json(context.stdout, { ...jsonOf(run), undo: jsonOf(undo) });
  else {
    printResult(context, undo, options);
    if (undo.task) line(context.stdout, remains(undo.task, hint("undo", taskId, options)));
  }
  context.exitCode = exitCode.operationsFailed;
}

/** The undo of a task that was all or nothing and failed. */
const failureUndoOf = ({ onFailure, status, undoneBy }: Task): string | null =>
  onFailure !== null && status === "error" ? undoneBy : null;

async function seenBy(
  context: Context,
  endpoint: Endpoint,
  taskId: string,
  options: WatchOptions,
): Promise<Seen> {
  const { promise, resolve } = Promise.withResolvers<Seen>();
  await watch(context, endpoint, taskId, { ...options, finish: async (seen) => resolve(seen) });
  return promise;
}

/** Says whether an undo has taken everything back. */
function remains({ status, progress, heldAt }: Task, again: string): string {
  const { failed, partial, processed, total } = progress;
  if (status === "complete" && failed + partial === 0) return "The run failed, and all of it was undone.";
  if (heldAt !== null) return "The run failed, and its undo is held: a part of it remains so far.";
  const rest = failed + partial + ((total ?? processed) - processed);
  return `The run failed, and ${counted(rest, "operation")} of it could not be undone. To try again: ${again}`;
}
