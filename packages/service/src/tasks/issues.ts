import type { Issue } from "@lading/schema";
import type { Queries } from "../storage/database.ts";
import { type Page, type PageRequest, page } from "../storage/page.ts";

/** Stores what validation found; `issues` in the order in which they are shown. */
export async function storeIssues(
  queries: Queries,
  tenantId: string,
  taskId: string,
  issues: readonly Issue[],
): Promise<void> {
  if (issues.length === 0) return;
  await queries.execute(
    `INSERT INTO bulk_task_issues (tenant_id, task_id, number, issue)
     SELECT $1, $2, r.number, r.issue FROM json_to_recordset($3::json) AS r(number int, issue json)`,
    [tenantId, taskId, JSON.stringify(issues.map((issue, number) => ({ number, issue })))],
  );
}

/** What validation found in a task's file: errors first, at most 1,000. */
export async function listIssues(
  queries: Queries,
  tenantId: string,
  taskId: string,
  { first, after }: PageRequest,
): Promise<Page<Issue>> {
  const rows = await queries.query<{ number: number; issue: Issue }>(
    `SELECT number, issue FROM bulk_task_issues
     WHERE tenant_id = $1 AND task_id = $2 AND number > $3 ORDER BY number LIMIT $4`,
    [tenantId, taskId, after ? Number(after) : -1, first + 1],
  );
  return page(rows, first, {
    cursor: (row) => String(row.number),
    node: (row) => row.issue,
    totalCount: async () => {
      const [{ count } = { count: 0 }] = await queries.query<{ count: number }>(
        "SELECT count(*) FROM bulk_task_issues WHERE tenant_id = $1 AND task_id = $2",
        [tenantId, taskId],
      );
      return count;
    },
  });
}
