import type { Queries } from "../database.ts";

/** The largest difference allowed between the clocks of runners and the database, in milliseconds. */
export const clocksDiffer = 60_000;

const difference = `interval '${clocksDiffer} milliseconds'`;

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
       AND running_at <= $2::timestamptz + ${difference}
       AND (ended_at >= $2::timestamptz - ${difference} OR ended_at IS NULL)
     ORDER BY greatest(running_at - $2::timestamptz, $2::timestamptz - ended_at, interval '0') LIMIT ${most}`,
    [tenantId, time],
  );

/** A task, when it was executed, and the number of its operations that were. */
export interface ExecutedTask {
  readonly id: string;
  readonly processed: number;
  readonly runningAt: string;
  readonly endedAt: string | null;
}

/** Those of a tenant's tasks with these ids whose execution has begun. */
export const executedTasks = (
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<ExecutedTask[]> =>
  queries.query(
    `SELECT id, cursor_index AS processed, running_at AS "runningAt", ended_at AS "endedAt" FROM bulk_tasks
     WHERE tenant_id = $1 AND id = ANY ($2::text[]) AND running_at IS NOT NULL`,
    [tenantId, ids],
  );
