import type { Queries } from "../storage/database.ts";
import { idCursor, type Page, type PageRequest, page } from "../storage/page.ts";
import {
  type BulkTask,
  type BulkTaskRow,
  type BulkTaskStatus,
  bulkTaskOf,
  selectBulkTasks,
} from "./bulk-task.ts";

/** The task with this id, or undefined. */
export async function findTask(
  queries: Queries,
  tenantId: string,
  id: string,
): Promise<BulkTask | undefined> {
  const [row] = await queries.query<BulkTaskRow>(`${selectBulkTasks} WHERE t.tenant_id = $1 AND t.id = $2`, [
    tenantId,
    id,
  ]);
  return row && bulkTaskOf(row);
}

/** The tenant's tasks, newest first. */
export async function listTasks(
  queries: Queries,
  tenantId: string,
  filter: { status?: BulkTaskStatus | null },
  { first, after }: PageRequest,
): Promise<Page<BulkTask>> {
  const conditions = "t.tenant_id = $1 AND ($2::text IS NULL OR t.status = $2)";
  const parameters = [tenantId, filter.status ?? null];
  const rows = await queries.query<BulkTaskRow>(
    `${selectBulkTasks} WHERE ${conditions} AND ($3::text IS NULL OR t.id < $3) ORDER BY t.id DESC LIMIT $4`,
    [...parameters, idCursor(after), first + 1],
  );
  return page(rows, first, {
    cursor: (row) => row.id,
    node: bulkTaskOf,
    totalCount: async () => {
      const [{ count } = { count: 0 }] = await queries.query<{ count: number }>(
        `SELECT count(*) FROM bulk_tasks t WHERE ${conditions}`,
        parameters,
      );
      return count;
    },
  });
}
