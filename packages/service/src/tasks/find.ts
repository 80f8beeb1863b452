import { findTaskRows, listTaskRows, type TaskFilter } from "../storage/bulk-tasks/find.ts";
import { retriesOf } from "../storage/bulk-tasks/retries/retry-chain.ts";
import type { Queries } from "../storage/database.ts";
import type { Page, PageRequest } from "../storage/pages/page.ts";
import { type BulkTask, bulkTaskOf } from "./bulk-task.ts";

/** The task with this id, or undefined. */
export async function findTask(
  queries: Queries,
  tenantId: string,
  id: string,
): Promise<BulkTask | undefined> {
  const [task] = await findTasks(queries, tenantId, [id]);
  return task;
}

/** The tenant's tasks with these ids, unordered. */
export async function findTasks(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<BulkTask[]> {
  return (await findTaskRows(queries, tenantId, ids)).map(bulkTaskOf);
}

/** The chain of retries after each task, by task id; tasks without retries are omitted. */
export async function findRetries(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, BulkTask[]>> {
  const retries = await retriesOf(queries, tenantId, ids);
  const found = await findTasks(queries, tenantId, [...new Set(retries.map(({ id }) => id))]);
  const byId = new Map(found.map((task) => [task.id, task]));
  const chains = Map.groupBy(retries, ({ root }) => root);
  return new Map([...chains].map(([root, chain]) => [root, chain.flatMap(({ id }) => byId.get(id) ?? [])]));
}

/** The tenant's tasks, newest first; plans only if the filter asks for that kind. */
export async function listTasks(
  queries: Queries,
  tenantId: string,
  filter: TaskFilter,
  request: PageRequest,
): Promise<Page<BulkTask>> {
  const { nodes, ...rest } = await listTaskRows(queries, tenantId, filter, request);
  return { ...rest, nodes: nodes.map(bulkTaskOf) };
}

/** The message of a `BulkTaskNotFoundError`, which doesn't reveal other tenants' tasks. */
export const taskNotFound = (id: string): string =>
  `The tenant has no bulk task with the id "${id}": list its tasks to find the right one`;
