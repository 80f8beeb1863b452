import type { Queries } from "../../database.ts";

/** The plans of files among these tasks: by id, the access token with the role `planner` that created it, or null. */
export async function filePlans(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const plans = await queries.query<{ id: string; plannerId: string | null }>(
    `SELECT id, planner_id AS "plannerId" FROM bulk_tasks
     WHERE tenant_id = $1 AND id = ANY($2::text[]) AND kind = 'plan' AND of_task IS NULL`,
    [tenantId, ids],
  );
  return new Map(plans.map(({ id, plannerId }) => [id, plannerId]));
}

/** The number of plans of an access token with the role `planner` that have not ended. */
export async function openPlansOf(queries: Queries, tenantId: string, plannerId: string): Promise<number> {
  const [row] = await queries.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM bulk_tasks
     WHERE tenant_id = $1 AND planner_id = $2 AND ended_at IS NULL`,
    [tenantId, plannerId],
  );
  return row?.open ?? 0;
}
