import { reject } from "../errors.ts";
import { startDueBefore } from "../storage/bulk-tasks/dated.ts";
import { startPending, waitingTasks } from "../storage/bulk-tasks/start.ts";
import { wakeRunners } from "../storage/bulk-tasks/wake.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { type Auditor, audit } from "../tenants/audit.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask, taskNotFound } from "./find.ts";

/**
 * Starts a pending task. Rejects with `BulkTaskNotFoundError`, `InvalidTaskStateError` when it was already started, or
 * `TooManyWaitingTasksError`.
 */
export async function startTask(
  database: Database,
  tenantId: string,
  id: string,
  auditor?: Auditor,
): Promise<BulkTask> {
  const started = await retriedTransaction(database, (transaction) =>
    markStarted(transaction, tenantId, id, auditor),
  );
  const task = await findTask(database, tenantId, id);
  if (task === undefined) reject("BulkTaskNotFoundError", taskNotFound(id), ["id"]);
  if (!started)
    reject("InvalidTaskStateError", `Bulk task ${id} is ${task.status}: only a pending task can be started`, [
      "id",
    ]);
  return task;
}

/**
 * Moves a pending task to `started` and wakes the runners; returns false if it is not pending. Rejects with
 * `TooManyWaitingTasksError`.
 */
export async function markStarted(
  transaction: Queries,
  tenantId: string,
  id: string,
  auditor?: Auditor,
): Promise<boolean> {
  // The order of starts is that in which tasks are executed: a task whose date has come is before this one.
  await startDueBefore(transaction, tenantId, id);
  if (!(await startPending(transaction, tenantId, id))) return false;
  await refuseTooManyWaiting(transaction, tenantId);
  if (auditor) await audit(transaction, { ...auditor, action: "bulkTask.started", subjectId: id });
  await wakeRunners(transaction);
  return true;
}

/**
 * Rejects a start, or a date, beyond the tenant's limit. Concurrent ones don't see each other, so a few more may pass.
 */
export async function refuseTooManyWaiting(transaction: Queries, tenantId: string): Promise<void> {
  const tasks = await waitingTasks(transaction, tenantId);
  if (tasks === undefined || tasks.waiting <= tasks.most) return;
  reject(
    "TooManyWaitingTasksError",
    `The tenant has ${tasks.waiting - 1} tasks that are started or have a date; its limit is ${tasks.most}. ` +
      "Start this one when some of them have ended",
  );
}
