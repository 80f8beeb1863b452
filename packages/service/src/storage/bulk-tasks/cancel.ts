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
  `tenant_id = $1 AND id = $2 AND ${hasNotEnded}`,
  4,
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
 * Ends an unfinished task; returns false if it has already ended. Its runner can commit nothing afterwards. First waits
 * for the open batch, whose failures the end counts.
 */
export const cancelUnended = (
  database: Database,
  { tenantId, id, by, entry }: Cancellation,
): Promise<boolean> =>
  endingTransaction(database, async (transaction) => {
    await transaction.query("SELECT FROM bulk_tasks WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", [
      tenantId,
      id,
    ]);
    const isEnded = await endTask(transaction, { tenantId, id }, cancel, [by]);
    if (!isEnded) return false;
    if (entry !== undefined) await insertAuditEntry(transaction, entry);
    await wakeRunners(transaction);
    return true;
  });

/** Plans that one statement ends. */
const expiredAtOnce = 100;

/**
 * Ends pending plans of planners that were created before a time; returns true if some may be left. Waits for no lock,
 * and leaves a plan that somebody is starting, scheduling or ending.
 */
export async function expirePending(database: Database, before: string): Promise<boolean> {
  const expired = await database.execute(
    `WITH p AS MATERIALIZED (
       SELECT tenant_id, id FROM bulk_tasks
       WHERE planner_id IS NOT NULL AND ended_at IS NULL AND status = 'pending' AND start_at IS NULL AND created_at < $1
       ORDER BY id DESC LIMIT ${expiredAtOnce} FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE bulk_tasks t SET ${endNow}, ${cancelled}, error = 'Nobody started the plan in time: plan the file again'
     FROM p WHERE t.tenant_id = p.tenant_id AND t.id = p.id`,
    [before],
  );
  return expired === expiredAtOnce;
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
