import { reject } from "../../errors.ts";
import { findPlanToRun, type PlanToRun } from "../../storage/bulk-tasks/plans/plan-to-run.ts";
import type { Queries } from "../../storage/database.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { ObjectStore, StoredObject } from "../../uploads/object-store.ts";
import { taskNotFound } from "../find.ts";
import type { NewTask } from "../new-task.ts";
import { digestOf } from "./same-request.ts";
import { allowedFile } from "./uploaded-file.ts";

/** The file version that a task executes. */
export interface TaskFile {
  readonly key: string;
  readonly etag: string;
}

/**
 * Finds the file of a new task: by its key or, without one, from the plan it follows. Rejects with
 * - `ValidationError` a request with neither a key nor a plan, and a file larger than the tenant's limit,
 * - `UploadNotFoundError` a key without an upload of the tenant,
 * - the errors of `requirePlan`,
 * - `PlanCannotBeRunError` a file that is not the plan's, and a plan whose file is gone.
 */
export async function fileOf(
  { database, store }: { database: Queries; store: ObjectStore },
  tenant: Tenant,
  { key, plan: id, idempotencyKey }: NewTask,
): Promise<TaskFile> {
  const given = typeof key === "string" ? { key, ...(await allowedFile(store, tenant, key)) } : undefined;
  const plan =
    typeof id === "string"
      ? { id, ...(await requirePlan(database, tenant.id, id, idempotencyKey)) }
      : undefined;
  if (plan !== undefined) await requirePlanned(store, plan, given);
  const missing = "key is missing: upload a file first, or name the plan to run";
  return given ?? plan ?? reject("ValidationError", missing, ["key"]);
}

/** Rejects a file whose content differs from the plan's; without a file, a plan whose file is gone. */
async function requirePlanned(
  store: ObjectStore,
  plan: PlanToRun & { id: string },
  given: (TaskFile & StoredObject) | undefined,
): Promise<void> {
  if (given?.key === plan.key && given.etag === plan.etag) return;
  const planned = await store.stat(plan.key);
  const isThere = planned?.etag === plan.etag;
  if (given === undefined) {
    if (!isThere) refuse(plan.id, "has lost its file: it is gone or was replaced");
    return;
  }
  const digest =
    isThere && planned.bytes !== given.bytes ? undefined : await digestOf(store, given.key, given.etag);
  if (digest === plan.sha256) return;
  const why = `is of another file than the one under "${given.key}", with the SHA-256 ${plan.sha256}`;
  refuse(plan.id, why, "key");
}

/**
 * Finds the plan that a run follows. Rejects with
 * - `BulkTaskNotFoundError` a task the tenant does not have,
 * - `InvalidTaskStateError` an unfinished plan, or one that an unfinished run follows,
 * - `PlanCannotBeRunError` a task of another kind, a plan of an undo, and a failed or pruned plan.
 */
export async function requirePlan(
  queries: Queries,
  tenantId: string,
  id: string,
  idempotencyKey: string | null = null,
): Promise<PlanToRun> {
  const plan = await findPlanToRun(queries, tenantId, id, idempotencyKey);
  if (plan === undefined) return reject("BulkTaskNotFoundError", taskNotFound(id), ["plan"]);
  const { kind, ofTask, status, isPruned, openRun } = plan;
  const wait = (why: string) => reject("InvalidTaskStateError", `The plan ${id} ${why}`, ["plan"]);
  if (kind !== "plan")
    reject(
      "PlanCannotBeRunError",
      `Bulk task ${id} is not a plan, but of the kind ${kind}: plan the file, and name that plan`,
      ["plan"],
    );
  if (ofTask !== null)
    reject("PlanCannotBeRunError", `The plan ${id} is of an undo: undo the task ${ofTask} instead`, ["plan"]);
  if (isPruned) refuse(id, "was pruned: what it saw is gone");
  if (status === "error") refuse(id, "is incomplete: it has ended in error");
  if (status !== "complete") wait(`is ${status}: wait for its end`);
  if (openRun !== null) wait(`is being followed by the run ${openRun}: wait for its end, or cancel it`);
  return plan;
}

const refuse = (id: string, why: string, field = "plan"): never =>
  reject("PlanCannotBeRunError", `The plan ${id} ${why}. Plan the file again`, [field]);
