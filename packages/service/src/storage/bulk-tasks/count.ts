import type { BulkTaskStatus } from "@lading/schema";
import type { Queries } from "../database.ts";
import { isUnleased, withClaimable } from "./claims/claimable.ts";

export interface TaskCounts {
  byStatus: Record<BulkTaskStatus, number>;
  /** Started tasks that no runner works on, by what they wait for; without those that are held. */
  queued: { validation: number; execution: number };
  /** The longest time that a task has waited for a runner; 0 when none waits. */
  queueAgeSeconds: number;
}

const queueAge = `${withClaimable()}
  SELECT coalesce(max(extract(epoch FROM now() - since)), 0)::float8 AS seconds FROM claimable`;

const queueLength = `
  SELECT count(*) FILTER (WHERE validated_at IS NULL) AS validation,
    count(*) FILTER (WHERE validated_at IS NOT NULL) AS execution
  FROM bulk_tasks b WHERE status IN ('started', 'running') AND held_at IS NULL AND ${isUnleased("b")}`;

/** Counts the tasks of all tenants, for the operator. */
export async function countTasks(queries: Queries): Promise<TaskCounts> {
  const rows = await queries.query<{ status: BulkTaskStatus; count: number }>(
    "SELECT status, count(*) FROM bulk_tasks GROUP BY status",
  );
  const [waiting] = await queries.query<{ seconds: number }>(queueAge);
  const [queued] = await queries.query<TaskCounts["queued"]>(queueLength);
  const byStatus = { pending: 0, started: 0, running: 0, complete: 0, error: 0 };
  for (const { status, count } of rows) byStatus[status] = count;
  return {
    byStatus,
    queued: queued ?? { validation: 0, execution: 0 },
    queueAgeSeconds: waiting?.seconds ?? 0,
  };
}
