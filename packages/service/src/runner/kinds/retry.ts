import { chainOf, countedTasks } from "../../storage/bulk-tasks/retries/retry-chain.ts";
import { retriedOperations } from "../../tasks/retries/retried-operations.ts";
import { type ExecuteTurn, executeTask } from "../execute/execute-task.ts";
import { openFileWork } from "../execute/file-work.ts";
import { TaskExecution } from "../execute/task-execution.ts";

/**
 * Retries failed operations of earlier tasks in the retry chain. They may reference results of operations that are not
 * retried.
 */
export const retry: ExecuteTurn = async (claimed, inTurn) => {
  const { services, task } = claimed;
  const chain = await chainOf(services.database, task.tenantId, task.taskId);
  const [counted, ...earlier] = countedTasks(chain);
  const execution = new TaskExecution({
    ...claimed,
    resultsOf: earlier.map(({ id }) => id),
    earlier: chain.slice(1).map(({ id }) => id),
  });
  const operations = retriedOperations(services, task, { include: counted?.include ?? [], earlier });
  return executeTask(execution, await openFileWork(execution, operations), inTurn);
};
