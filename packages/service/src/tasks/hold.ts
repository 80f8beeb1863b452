import { reject } from "../errors.ts";
import { holdUnended, resumeHeld } from "../storage/bulk-tasks/hold.ts";
import type { Database } from "../storage/database.ts";
import type { AuditAction, Auditor } from "../tenants/audit.ts";
import type { BulkTask } from "./bulk-task.ts";
import { hasEnded } from "./cancel.ts";
import { findTask, taskNotFound } from "./find.ts";

type Change = typeof holdUnended;

/**
 * Holds a task after its current batch: it keeps its place in the queue, and continues at the next operation when
 * resumed. Idempotent. Rejects with `BulkTaskNotFoundError`, or with `InvalidTaskStateError` when the task has ended or
 * is a plan.
 */
export async function holdTask(
  database: Database,
  tenantId: string,
  id: string,
  auditor?: Auditor,
): Promise<BulkTask> {
  const { task, changed } = await change(holdUnended, "bulkTask.held", { database, tenantId, id, auditor });
  if (changed || task.heldAt !== null) return task;
  const reason =
    task.kind === "plan" && !hasEnded(task)
      ? "is a plan: cancel it, and make another one later"
      : `has status ${task.status}: only a task that has not ended can be held`;
  return reject("InvalidTaskStateError", `Bulk task ${id} ${reason}`, ["id"]);
}

/** Resumes a held task. Rejects with `BulkTaskNotFoundError`, or with `InvalidTaskStateError` when it is not held. */
export async function resumeTask(
  database: Database,
  tenantId: string,
  id: string,
  auditor?: Auditor,
): Promise<BulkTask> {
  const { task, changed } = await change(resumeHeld, "bulkTask.resumed", { database, tenantId, id, auditor });
  if (changed) return task;
  return reject(
    "InvalidTaskStateError",
    `Bulk task ${id} has status ${task.status} and is not held: only a held task can be resumed`,
    ["id"],
  );
}

interface Request {
  readonly database: Database;
  readonly tenantId: string;
  readonly id: string;
  readonly auditor: Auditor | undefined;
}

/** Changes a task; returns it, and whether its state allowed the change. */
async function change(
  apply: Change,
  action: AuditAction,
  { database, tenantId, id, auditor }: Request,
): Promise<{ task: BulkTask; changed: boolean }> {
  const entry = auditor && { ...auditor, action, subjectId: id };
  const changed = await apply(database, { tenantId, id, entry });
  const task = await findTask(database, tenantId, id);
  if (task === undefined) reject("BulkTaskNotFoundError", taskNotFound(id), ["id"]);
  return { task, changed };
}
