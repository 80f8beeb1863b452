import { findTaskRow, findTaskRows, listTaskRows } from "../storage/bulk-tasks/find.ts";
import type { BulkTaskStatus } from "../storage/bulk-tasks/status.ts";
import type { Queries } from "../storage/database.ts";
import type { Page, PageRequest } from "../storage/pages/page.ts";
import { type BulkTask, bulkTaskOf } from "./bulk-task.ts";

/** The task with this id, or undefined. */
export async function findTask(
  queries: Queries,
  tenantId: string,
  id: string,
): Promise<BulkTask | undefined> {
  const row = await findTaskRow(queries, tenantId, id);
  return row && bulkTaskOf(row);
}

/** The tenant's tasks with these ids, in no order. */
export async function findTasks(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<BulkTask[]> {
  return (await findTaskRows(queries, tenantId, ids)).map(bulkTaskOf);
}

/** The tenant's tasks, newest first. */
export async function listTasks(
  queries: Queries,
  tenantId: string,
  filter: { status?: BulkTaskStatus | null },
  request: PageRequest,
): Promise<Page<BulkTask>> {
  const { nodes, ...rest } = await listTaskRows(queries, tenantId, filter, request);
  return { ...rest, nodes: nodes.map(bulkTaskOf) };
}
