import type { Queries } from "../database.ts";

/** The largest difference allowed between the clocks of runners and the database, in milliseconds. */
const clocksDiffer = 60_000;

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

/** A task, between which times (ISO 8601) its operations may have begun, and the number of those that were executed. */
export interface ExecutedTask {
  readonly id: string;
  readonly processed: number;
  readonly from: string;
  /** Null while it is executed. */
  readonly to: string | null;
}

const selectExecuted = `SELECT id, cursor_index AS processed,
    running_at - ${difference} AS "from", ended_at + ${difference} AS "to"
  FROM bulk_tasks WHERE tenant_id = $1 AND running_at IS NOT NULL`;

/** Those of a tenant's tasks with these ids whose execution has begun. */
export const executedTasks = (
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<ExecutedTask[]> => queries.query(`${selectExecuted} AND id = ANY ($2::text[])`, [tenantId, ids]);

/** A tenant's tasks with before-images that are undone, at least in part. */
export const undoneTasks = (queries: Queries, tenantId: string): Promise<ExecutedTask[]> =>
  queries.query(`${selectExecuted} AND undone <> 'none' AND keeps_before AND NOT pruning_before`, [tenantId]);

/** True if a task may have executed operations that began at a time (ISO 8601). */
export const mayHaveRunAt = ({ from, to }: ExecutedTask, at: string): boolean =>
  at >= from && (to === null || at <= to);
