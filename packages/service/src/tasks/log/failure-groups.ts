import { countedTasks, failureSources, wholeChain } from "../../storage/bulk-tasks/retries/retry-chain.ts";
import type { Queries } from "../../storage/database.ts";
import { type FailureGroup, groupFailures } from "../../storage/task-details/failures.ts";

/**
 * Groups what failed of a task, or was partial, by cause. With `unrepaired`, groups the operations of the task's file
 * whose latest outcome that is: what a retry has executed successfully since is left out, unless that retry was undone,
 * and what failed again has the cause that it had last. A task whose log was pruned has no groups.
 */
export async function failureGroups(
  queries: Queries,
  tenantId: string,
  { taskId, unrepaired }: { taskId: string; unrepaired: boolean },
): Promise<FailureGroup[]> {
  const chain = unrepaired
    ? countedTasks(await wholeChain(queries, tenantId, taskId))
    : [{ id: taskId, include: null, cursorIndex: 0 }];
  return groupFailures(queries, tenantId, failureSources(chain, ["FAILED", "PARTIAL"]));
}
