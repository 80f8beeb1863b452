import type { Queries } from "../database.ts";

/** The largest difference allowed between the clocks of runners and the database. */
const clocksDiffer = "interval '1 minute'";

/** The tasks nearest to the time; the intervals of a tenant's tasks overlap by this difference at most. */
const most = 10;

/** A tenant's tasks with before-images that were executed at about a time, and the number of operations of each. */
export const tasksExecutedAt = (
  queries: Queries,
  tenantId: string,
  time: string,
): Promise<{ id: string; processed: number }[]> =>
  queries.query(
    `SELECT id, cursor_index AS processed FROM bulk_tasks
     WHERE tenant_id = $1 AND keeps_before AND NOT pruning_before AND kind <> 'plan'
       AND running_at <= $2::timestamptz + ${clocksDiffer}
       AND (ended_at >= $2::timestamptz - ${clocksDiffer} OR ended_at IS NULL)
     ORDER BY greatest(running_at - $2::timestamptz, $2::timestamptz - ended_at, interval '0') LIMIT ${most}`,
    [tenantId, time],
  );
