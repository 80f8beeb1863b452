import { reject } from "../errors.ts";
import { whenItEnded } from "../storage/bulk-tasks/fail.ts";
import { wakeChannel } from "../storage/bulk-tasks/wake.ts";
import type { Database } from "../storage/database.ts";
import { type Auditor, auditParameters, insertAudit } from "../tenants/audit.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask } from "./find.ts";

/**
 * One statement outside of any transaction: it waits for the batch that is open and then ends the task, whatever the
 * batch has changed. (A repeatable-read transaction would fail instead of waiting, batch after batch.) The task is taken
 * from its runner, which can commit nothing after that. A pending task is put in the order of starts, as every ended one is.
 */
const cancel = (noted: string) => `
  WITH cancelled AS (
    UPDATE bulk_tasks SET status = 'error', ended_at = now(), owner = NULL, lease_until = NULL, epoch = epoch + 1,
      start_order = coalesce(start_order, nextval('bulk_task_start_order')),
      error_name = 'Cancelled',
      error = 'The task was cancelled when ' || cursor_index || ' of ' || coalesce(total::text, 'an unknown number of') ||
        ' operations had been executed: ' || succeeded || ' succeeded, ' || partial || ' partial, ' ||
        failed || ' failed. What they did stays',
      stack = concat_ws(E'\\n', 'Cancelled by ' || $4::text, ${whenItEnded})
    WHERE tenant_id = $1 AND id = $2 AND status IN ('pending', 'started', 'running')
    RETURNING id
  )${noted}
  SELECT id, pg_notify($3, '') FROM cancelled`;

/**
 * Ends a task at the next boundary between two batches, with `errorName` "Cancelled": what was executed stays and is
 * logged, the rest is not attempted. Rejects with `BulkTaskNotFoundError`, or `InvalidTaskStateError` when it has ended.
 */
export async function cancelTask(
  database: Database,
  tenantId: string,
  id: string,
  auditor?: Auditor,
): Promise<BulkTask> {
  const noted = auditor ? `, noted AS (${insertAudit(5, "FROM cancelled")})` : "";
  const entry = auditor && auditParameters({ ...auditor, action: "bulkTask.cancelled", subjectId: id });
  const by = auditor === undefined ? null : nameOf(auditor.actor);
  const cancelled = await database.query(cancel(noted), [tenantId, id, wakeChannel, by, ...(entry ?? [])]);
  const task = await findTask(database, tenantId, id);
  if (task === undefined) reject("BulkTaskNotFoundError", `No bulk task has the id "${id}"`, ["id"]);
  if (cancelled.length === 0)
    reject(
      "InvalidTaskStateError",
      `Bulk task ${id} is ${task.status}: only a task that has not ended can be cancelled`,
      ["id"],
    );
  return task;
}

const nameOf = (actor: Auditor["actor"]): string =>
  actor.type === "operator" ? "the operator" : `the access token "${actor.name}" (${actor.id})`;
