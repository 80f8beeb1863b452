import type { Database } from "../database.ts";
import { type AuditEntry, insertAuditEntry } from "../tenants/audit-trail.ts";
import { ending, endingTransaction, endNow, endTask, whenItEnded } from "./end.ts";
import { wakeRunners } from "./wake.ts";

const cancelled = "status = 'error', epoch = epoch + 1, error_name = 'Cancelled'";
const hasNotEnded = "status IN ('pending', 'started', 'running')";

const cancel = ending(
  `${cancelled},
    error = 'The task was cancelled when ' || cursor_index::text || ' of ' ||
      coalesce(total::text, 'an unknown number of') || ' operations had been executed: ' ||
      succeeded::text || ' succeeded, ' || partial::text || ' partial, ' || failed::text || ' failed. What they did stays',
    stack = coalesce('Cancelled by ' || $3::text || E'\\n', '') || ${whenItEnded}`,
  hasNotEnded,
);

export interface Cancellation {
  readonly tenantId: string;
  readonly id: string;
  /** The caller, for the task's `stack`. */
  readonly by: string | null;
  /** Written to the audit trail together with the cancellation. */
  readonly entry: AuditEntry | undefined;
}

/**
 * Ends an unfinished task; returns false if it has already ended. Its runner can commit nothing afterwards. Waits for
 * the open batch, and then ends the task whatever the batch changed.
 */
export const cancelUnended = (
  database: Database,
  { tenantId, id, by, entry }: Cancellation,
): Promise<boolean> =>
  endingTransaction(database, async (transaction) => {
    const isEnded = await endTask(transaction, { tenantId, id }, cancel, [by]);
    if (!isEnded) return false;
    if (entry !== undefined) await insertAuditEntry(transaction, entry);
    await wakeRunners(transaction);
    return true;
  });

/** Plans that one statement ends. */
const expiredAtOnce = 100;

const isExpired =
  "planner_id IS NOT NULL AND ended_at IS NULL AND status = 'pending' AND start_at IS NULL AND created_at < $1";

const findExpired = `
  SELECT tenant_id AS "tenantId", array_agg(id) AS ids
  FROM (SELECT tenant_id, id FROM bulk_tasks WHERE ${isExpired} LIMIT ${expiredAtOnce}) p GROUP BY tenant_id`;

const expire = `
  WITH p AS MATERIALIZED (
    SELECT id FROM bulk_tasks WHERE tenant_id = $2 AND id = ANY ($3::text[]) AND ${isExpired}
    FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE bulk_tasks SET ${endNow}, ${cancelled}, error = 'Nobody started the plan in time: plan the file again'
  WHERE tenant_id = $2 AND id IN (SELECT id FROM p)`;

/**
 * Ends pending plans of planners that were created before a time; returns true if some may be left. Waits for no lock,
 * and leaves a plan that somebody is starting, scheduling or ending.
 */
export async function expirePending(database: Database, before: string): Promise<boolean> {
  let [found, expired] = [0, 0];
  for (const { tenantId, ids } of await database.query<{ tenantId: string; ids: string[] }>(findExpired, [
    before,
  ])) {
    found += ids.length;
    expired += await database.execute(expire, [before, tenantId, ids]);
  }
  return found === expiredAtOnce && expired > 0;
}

/**
 * Ends the tasks of a deleted tenant; their runners can commit nothing afterwards. Locks rows from the newest to the
 * oldest, in the order in which an undo's end locks the undone task.
 */
export async function cancelTasksOfTenant(database: Database, tenantId: string): Promise<void> {
  await database.execute(
    `WITH open AS MATERIALIZED (
       SELECT id FROM bulk_tasks WHERE tenant_id = $1 AND ${hasNotEnded} ORDER BY id DESC FOR NO KEY UPDATE
     )
     UPDATE bulk_tasks SET ${endNow}, ${cancelled}, error = 'The tenant was deleted'
     WHERE tenant_id = $1 AND id IN (SELECT id FROM open)`,
    [tenantId],
  );
}
