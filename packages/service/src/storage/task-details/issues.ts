import type { Issue } from "@lading/schema";
import type { Queries } from "../database.ts";
import { type Page, type PageRequest, page } from "../pages/page.ts";

/** Stores the issues that validation found, in the order they are listed. */
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

/**
 * A page of the issues of each task's file, by the task's id: errors first, at most 1,000. `count` returns the total
 * for a task.
 */
export async function issuesOfTasks(
  queries: Queries,
  tenantId: string,
  { first, after }: PageRequest,
  taskIds: readonly string[],
  count: (taskId: string) => Promise<number>,
): Promise<Map<string, Page<Issue>>> {
  const rows = await queries.query<{ taskId: string; number: number; issue: Issue }>(
    `SELECT t.id AS "taskId", f.number, f.issue FROM unnest($2::text[]) AS t(id) CROSS JOIN LATERAL (
       SELECT number, issue FROM bulk_task_issues
       WHERE tenant_id = $1 AND task_id = t.id AND number > $3 ORDER BY number LIMIT $4
     ) f ORDER BY f.number`,
    [tenantId, taskIds, after ? Number(after) : -1, first + 1],
  );
  const byTask = Map.groupBy(rows, ({ taskId }) => taskId);
  const pageOf = (taskId: string) =>
    page(byTask.get(taskId) ?? [], first, {
      cursor: ({ number }) => String(number),
      node: ({ issue }) => issue,
      totalCount: () => count(taskId),
    });
  return new Map(taskIds.map((taskId) => [taskId, pageOf(taskId)]));
}

/** The number of issues of each task, by its id; tasks without issues are left out. */
export async function issueCountsOfTasks(
  queries: Queries,
  tenantId: string,
  taskIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries.query<{ taskId: string; count: number }>(
    `SELECT task_id AS "taskId", count(*) AS count FROM bulk_task_issues
     WHERE tenant_id = $1 AND task_id = ANY($2::text[]) GROUP BY 1`,
    [tenantId, taskIds],
  );
  return new Map(rows.map(({ taskId, count }) => [taskId, count]));
}
