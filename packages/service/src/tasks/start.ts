import { reject } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retried-transaction.ts";
import type { Auditor } from "../tenants/audit.ts";
import type { BulkTask } from "./bulk-task.ts";
import { markStarted } from "./create.ts";
import { findTask } from "./find.ts";

/** Starts a pending task. Rejects with `BulkTaskNotFoundError`, `InvalidTaskStateError` when it was started before, or `TooManyWaitingTasksError`. */
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
  if (task === undefined) reject("BulkTaskNotFoundError", `No bulk task has the id "${id}"`, ["id"]);
  if (!started)
    reject("InvalidTaskStateError", `Bulk task ${id} is ${task.status}: only a pending task can be started`, [
      "id",
    ]);
  return task;
}
