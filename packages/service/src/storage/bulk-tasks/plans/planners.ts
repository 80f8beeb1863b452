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

/** The numbers of plans of an access token with the role `planner`. */
export interface PlansOfPlanner {
  /** Plans that have not ended. */
  readonly open: number;
  /** Plans created in the last 24 hours. */
  readonly recent: number;
}

export async function plansOfPlanner(
  queries: Queries,
  tenantId: string,
  plannerId: string,
): Promise<PlansOfPlanner> {
  const count = (condition: string) =>
    `(SELECT count(*)::int FROM bulk_tasks WHERE tenant_id = $1 AND planner_id = $2 AND ${condition})`;
  const [plans] = await queries.query<PlansOfPlanner>(
    `SELECT ${count("ended_at IS NULL")} AS open, ${count("created_at > now() - interval '1 day'")} AS recent`,
    [tenantId, plannerId],
  );
  return plans ?? { open: 0, recent: 0 };
}
