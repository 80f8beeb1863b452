import { type ExecuteTurn, executeTask } from "../execute/execute-task.ts";
import { openFileWork, operationsOf } from "../execute/file-work.ts";
import { TaskExecution } from "../execute/task-execution.ts";
import { followPlan } from "../plan/follow-plan.ts";

/** Executes all operations of a file; if it was planned, each only where the plan still holds. */
export const run: ExecuteTurn = async (claimed, inTurn) => {
  const execution = new TaskExecution(claimed);
  const { tenantId, ofTask: plan } = claimed.task;
  const check = plan === null ? undefined : followPlan({ tenantId, taskId: plan });
  return executeTask(execution, await openFileWork(execution, operationsOf(execution), check), inTurn);
};
