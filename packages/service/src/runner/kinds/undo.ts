import { type ExecuteTurn, executeTask } from "../execute/execute-task.ts";
import { TaskExecution } from "../execute/task-execution.ts";
import { openUndoWork } from "../undo/undo-work.ts";

/** Undoes the operations of another task, from the last to the first. */
export const undo: ExecuteTurn = async (claimed, inTurn) => {
  const execution = new TaskExecution(claimed);
  return executeTask(execution, await openUndoWork(execution, { noteRemovedImages: true }), inTurn);
};
