import type { Queries } from "../database.ts";

/** The largest difference allowed between the clocks of runners and the database. */
const clocksDiffer = "interval '1 minute'";

/** The tasks nearest to the time; the intervals of a tenant's tasks overlap by this difference at most. */
const most = 10;

interface Executed {
  readonly id: string;
  /** The number of operations that it has executed. */
  readonly processed: number;
}

/** A tenant's tasks with before-images that were executed at about a time. */
export const tasksExecutedAt = (queries: Queries, tenantId: string, time: string): Promise<Executed[]> =>
  queries.query(
    `SELECT id, cursor_index AS processed FROM bulk_tasks
     WHERE tenant_id = $1 AND keeps_before AND NOT pruning_before AND kind <> 'plan'
       AND running_at <= $2::timestamptz + ${clocksDiffer}
       AND (ended_at >= $2::timestamptz - ${clocksDiffer} OR ended_at IS NULL)
     ORDER BY greatest(running_at - $2::timestamptz, $2::timestamptz - ended_at, interval '0') LIMIT ${most}`,
    [tenantId, time],
  );

/** A tenant's tasks with these ids. */
export const executedOf = (queries: Queries, tenantId: string, ids: readonly string[]): Promise<Executed[]> =>
  queries.query(
    "SELECT id, cursor_index AS processed FROM bulk_tasks WHERE tenant_id = $1 AND id = ANY ($2::text[])",
    [tenantId, ids],
  );
