import { reject } from "../errors.ts";
import { cancelUnended } from "../storage/bulk-tasks/cancel.ts";
import type { Database } from "../storage/database.ts";
import type { AuditEntry, Auditor } from "../tenants/audit.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask, taskNotFound } from "./find.ts";

/**
 * Ends a task at the next batch boundary, with `errorName` "Cancelled": operations executed so far keep their effects
 * and log entries, the others are not attempted. Rejects with `BulkTaskNotFoundError`, or with `InvalidTaskStateError`
 * when the task has already ended.
 */
export async function cancelTask(
  database: Database,
  tenantId: string,
  id: string,
  auditor?: Auditor,
): Promise<BulkTask> {
  const entry: AuditEntry | undefined = auditor && {
    ...auditor,
    action: "bulkTask.cancelled",
    subjectId: id,
  };
  const by = auditor === undefined ? null : nameOf(auditor.actor);
  const cancelled = await cancelUnended(database, { tenantId, id, by, entry });
  const task = await findTask(database, tenantId, id);
  if (task === undefined) reject("BulkTaskNotFoundError", taskNotFound(id), ["id"]);
  if (!cancelled)
    reject(
      "InvalidTaskStateError",
      `Bulk task ${id} has status ${task.status}: only a task that has not ended can be cancelled`,
      ["id"],
    );
  return task;
}

export const hasEnded = ({ status }: BulkTask): boolean => status === "complete" || status === "error";

function nameOf(actor: Auditor["actor"]): string {
  if (actor.type === "operator") return "the operator";
  if (actor.type === "task") return `the task ${actor.id}`;
  return `the ${actor.type === "person" ? "person" : "access token"} "${actor.name}" (${actor.id})`;
}
