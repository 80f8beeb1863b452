import type { Queries } from "../database.ts";
import { isDated } from "./claims/claimable.ts";

/** Draws places at the end of the order in which tasks start. */
export async function drawPlaces(queries: Queries, count = 1): Promise<number[]> {
  const drawn = await queries.query<{ place: number }>(
    "SELECT nextval('bulk_task_start_order') AS place FROM generate_series(1, $1)",
    [count],
  );
  return drawn.map(({ place }) => place);
}

/** Moves a pending task to `started`, last in the start order; returns false if it is not pending. */
export async function startPending(transaction: Queries, tenantId: string, id: string): Promise<boolean> {
  const started = await transaction.execute(
    `UPDATE bulk_tasks SET status = 'started', started_at = now(), start_order = $3
     WHERE tenant_id = $1 AND id = $2 AND status = 'pending'`,
    [tenantId, id, ...(await drawPlaces(transaction))],
  );
  return started > 0;
}

/**
 * The number of a tenant's unfinished tasks that are started or have a date, and its limit; undefined if there is no
 * such tenant.
 */
export async function waitingTasks(
  queries: Queries,
  tenantId: string,
): Promise<{ waiting: number; most: number } | undefined> {
  const [row] = await queries.query<{ waiting: number; most: number }>(
    `SELECT (limits->>'maxWaitingTasks')::int AS most,
       (SELECT count(*) FROM bulk_tasks WHERE tenant_id = $1 AND status IN ('started', 'running'))
         + (SELECT count(*) FROM bulk_tasks b WHERE b.tenant_id = $1 AND ${isDated("b")}) AS waiting
     FROM tenants WHERE id = $1`,
    [tenantId],
  );
  return row;
}
