import type { OperationStatus } from "@lading/schema";
import type { Queries } from "../../database.ts";
import { countUnrepaired } from "../../task-details/failures.ts";
import { countedTasks, hasExecuted, retriesOf, sourcesAfter } from "./retry-chain.ts";

/** The parts of a log entry that decide whether it can be repaired. */
interface RepairableEntry {
  readonly index: number;
  readonly status: OperationStatus;
}

/**
 * The retries that have successfully executed operations which did not succeed in a task, by operation index. Ignores
 * retries that were undone.
 */
export async function repairsOf(
  queries: Queries,
  tenantId: string,
  taskId: string,
  entries: readonly RepairableEntry[],
): Promise<Map<number, string>> {
  const repairs = new Map<number, string>();
  if (entries.every(({ status }) => status === "success")) return repairs;
  const retries = countedTasks(await retriesOf(queries, tenantId, [taskId]));
  if (retries.length === 0) return repairs;
  const failed = await failuresIn(
    queries,
    tenantId,
    retries.map(({ id }) => id),
    entries.filter(({ status }) => status !== "success").map(({ index }) => index),
  );
  for (const { index, status } of entries) {
    let latest = status;
    for (const retry of retries) {
      if (latest === "success" || !hasExecuted(retry, index, latest)) continue;
      latest = failed.get(`${retry.id} ${index}`) ?? "success";
      if (latest === "success") repairs.set(index, retry.id);
    }
  }
  return repairs;
}

/** The parts of a task that decide whether its operations can be repaired. */
interface RepairableTask {
  readonly id: string;
  readonly prunedAt: string | null;
  readonly partial: number;
  readonly failed: number;
  readonly repaired: number;
}

/**
 * The tasks with the current numbers of their repaired operations. The column `repaired` also counts retries that were
 * undone, so it is recomputed for tasks with such a retry.
 */
export async function withRepairs<Task extends RepairableTask>(
  queries: Queries,
  tenantId: string,
  tasks: readonly Task[],
): Promise<Task[]> {
  const ids = tasks.flatMap(({ id, repaired, prunedAt }) => (repaired > 0 && prunedAt === null ? id : []));
  const retries = ids.length === 0 ? [] : await retriesOf(queries, tenantId, ids);
  const chains = Map.groupBy(retries, ({ root }) => root);
  const counted = tasks.map(async (task) => {
    const chain = chains.get(task.id) ?? [];
    if (chain.every(({ undone }) => undone === "none")) return task;
    const key = { tenantId, taskId: task.id };
    const unrepaired = await countUnrepaired(queries, key, sourcesAfter(task.id, chain));
    return { ...task, repaired: task.failed + task.partial - unrepaired };
  });
  return Promise.all(counted);
}

/** The statuses of tasks' operations that did not succeed, by task and index. */
async function failuresIn(
  queries: Queries,
  tenantId: string,
  taskIds: readonly string[],
  indexes: readonly number[],
): Promise<Map<string, "failure" | "partial">> {
  const rows = await queries.query<{ taskId: string; index: number; status: "failure" | "partial" }>(
    `SELECT task_id AS "taskId", index, status FROM operation_log_failures
     WHERE tenant_id = $1 AND task_id = ANY($2::text[]) AND status IN ('failure', 'partial') AND index = ANY($3::int[])`,
    [tenantId, taskIds, indexes],
  );
  return new Map(rows.map(({ taskId, index, status }) => [`${taskId} ${index}`, status]));
}
