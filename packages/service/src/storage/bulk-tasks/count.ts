import type { BulkTaskStatus } from "@lading/schema/internal";
import type { Queries } from "../database.ts";
import { isUnleased, withClaimable, withWaiting } from "./claims/claimable.ts";

export interface TaskCounts {
  byStatus: Record<BulkTaskStatus, number>;
  /** Started tasks without a runner, by the work they wait for; without held ones. */
  queued: { validation: number; execution: number };
  /** The longest wait for a runner; 0 if no task waits. */
  queueAgeSeconds: number;
}

const age = "SELECT coalesce(max(extract(epoch FROM now() - since)), 0)::float8 AS seconds FROM claimable";

const queueLength = `
  SELECT count(*) FILTER (WHERE validated_at IS NULL) AS validation,
    count(*) FILTER (WHERE validated_at IS NOT NULL) AS execution
  FROM bulk_tasks b WHERE status IN ('started', 'running') AND held_at IS NULL AND ${isUnleased("b")}`;

/** Counts the tasks of all tenants, for the operator. */
export async function countTasks(queries: Queries): Promise<TaskCounts> {
  const rows = await queries.query<{ status: BulkTaskStatus; count: number }>(
    "SELECT status, count(*) FROM bulk_tasks GROUP BY status",
  );
  const [waiting] = await queries.query<{ seconds: number }>(
    `${queries.cluster ? withWaiting : withClaimable()} ${age}`,
  );
  const [queued] = await queries.query<TaskCounts["queued"]>(queueLength);
  const byStatus = { pending: 0, started: 0, running: 0, complete: 0, error: 0 };
  for (const { status, count } of rows) byStatus[status] = count;
  return {
    byStatus,
    queued: queued ?? { validation: 0, execution: 0 },
    queueAgeSeconds: waiting?.seconds ?? 0,
  };
}
