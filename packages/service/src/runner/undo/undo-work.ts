import type { TaskFailure } from "../../storage/bulk-tasks/end.ts";
import { readDownwards } from "../../storage/bulk-tasks/undos/read-downwards.ts";
import { findTaskToUndo, undoneEarlier } from "../../storage/bulk-tasks/undos/undo-rows.ts";
import { settings } from "../../storage/collections/settings.ts";
import type { Queries } from "../../storage/database.ts";
import { foreignKeysIn } from "../../storage/queries/foreign-keys.ts";
import { lostRows } from "../../tasks/undo.ts";
import type { TaskExecution } from "../execute/task-execution.ts";
import type { Work } from "../execute/work.ts";
import { requireKeys } from "./require-keys.ts";
import { prefetchRestored } from "./restore-rows.ts";
import { factsOfUndo, undoOperation } from "./undo-operation.ts";
import { type UndoOperation, undoSource } from "./undo-source.ts";

/**
 * Opens the operations of an undo, or of a plan of one, from its cursor on: the undone task's log, in reverse order.
 * With `noteRemovedImages`, log entries list images that no row references any more.
 */
export async function openUndoWork(
  { services, task }: TaskExecution,
  { noteRemovedImages = false } = {},
): Promise<Work<UndoOperation>> {
  const { tenantId, ofTask, total, cursorIndex: next } = task;
  if (ofTask === null || total === null) throw new Error(`the undo ${task.taskId} has no task to undo`);
  const { database } = services;
  const log = readDownwards(database, { tenantId, taskId: ofTask }, total - next);
  const foreignKeys = await foreignKeysIn(database);
  return {
    source: undoSource(log, {
      ...{ task: ofTask, next, total },
      undoneEarlier: (range) => undoneEarlier(database, { ...task, ofTask }, range),
    }),
    refusal: () => refusalOf(database, tenantId, ofTask),
    ready: async (operations) => upToSettings(operations),
    begin: async () => {},
    prefetch: ({ unit }, operations) =>
      unit.prefetch((prefetch) => {
        for (const { images } of operations) prefetchRestored(images, prefetch);
      }),
    execute: (batch, operation) => undoOperation(batch, operation, noteRemovedImages),
    check: ({ unit }) => requireKeys(unit, foreignKeys),
    factsOf: factsOfUndo,
    logged: () => {},
    finish: async () => {},
    close: async () => {},
  };
}

/** The operations up to the first that writes settings, which a batch reads at its start. */
function upToSettings(operations: readonly UndoOperation[]): readonly UndoOperation[] {
  const at = operations.findIndex(({ images }) => images.some(({ table }) => table === settings.table));
  return at === -1 ? operations : operations.slice(0, at + 1);
}

/**
 * Returns why the task can no longer be undone, if so: it may have been pruned, since a plan does not delay pruning, or
 * the service may have been upgraded since the undo was created.
 */
async function refusalOf(
  queries: Queries,
  tenantId: string,
  ofTask: string,
): Promise<TaskFailure | undefined> {
  const task = await findTaskToUndo(queries, tenantId, ofTask);
  const lost = task && (await lostRows(task));
  if (lost === undefined) return undefined;
  return { errorName: "BulkTaskCannotBeUndoneError", error: `Bulk task ${ofTask} ${lost}` };
}
