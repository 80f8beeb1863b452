import type { OperationStatus } from "@lading/schema/internal";
import type { Queries } from "../../database.ts";
import { countedTasks, hasExecuted, retriesOf } from "./retry-chain.ts";

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
