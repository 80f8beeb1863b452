import { reject, TenantGone } from "../errors.ts";
import {
  findTaskToUndo,
  insertUndo,
  type TaskToUndo,
  undosInRow,
} from "../storage/bulk-tasks/undos/undo-rows.ts";
import { allCollections } from "../storage/collections/all.ts";
import type { Database, Queries } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";
import { migrationsThatName } from "../storage/migrate.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { type Auditor, actorName, audit } from "../tenants/audit.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask, taskNotFound } from "./find.ts";
import { checkNewTask, refuseHeldPlan } from "./new-task.ts";
import { createdBefore, type FollowUp } from "./same-follow-up.ts";
import { markStarted } from "./start.ts";

/** A request to undo a task. */
export interface NewUndo extends FollowUp {
  /** True creates a plan, which previews the undo and changes nothing. Default: false. */
  readonly plan?: boolean | null;
}

/**
 * Creates a task that undoes another, in reverse order, or a plan of such a task; starts it with `autoStart`. Rejects
 * with
 * - `ValidationError` a request that breaks `taskLimits`, has a number below its minimum, or holds a plan,
 * - `BulkTaskNotFoundError` a task the tenant does not have,
 * - `InvalidTaskStateError` a task that has not ended, is being retried or undone, was undone as a whole, was
 *   continued by a later retry, is an undo that a later one has continued, or ends `undosInRow` undos,
 * - `BulkTaskCannotBeUndoneError` a task whose before-images are not kept,
 * - `IdempotencyKeyExistsError` a different request with a used idempotency key,
 * - `TooManyWaitingTasksError` a start beyond the tenant's limit.
 */
export async function undoTask(
  database: Database,
  tenant: Tenant,
  input: NewUndo,
  auditor?: Auditor,
): Promise<BulkTask> {
  checkNewTask(input);
  if (input.plan) refuseHeldPlan(input);
  const id = await retriedTransaction(
    database,
    (transaction) => storeUndo(transaction, tenant, input, auditor),
    // Another request created an undo of the task, or one with the key: the retry sees it.
    (error) => sqlStateOf(error) === sqlStates.uniqueViolation,
  );
  const task = await findTask(database, tenant.id, id);
  if (task === undefined) throw new TenantGone();
  return task;
}

async function storeUndo(
  transaction: Queries,
  tenant: Tenant,
  request: NewUndo,
  auditor: Auditor | undefined,
): Promise<string> {
  const { id: ofTask, autoStart, maxFailures = null, idempotencyKey = null } = request;
  const { holdAfter = null, holdOnFailures = null } = request;
  const kind = request.plan ? "plan" : "undo";
  const existing = await createdBefore(transaction, tenant.id, kind, request);
  if (existing !== undefined) return existing;
  const task = await findTaskToUndo(transaction, tenant.id, ofTask);
  if (task === undefined) reject("BulkTaskNotFoundError", taskNotFound(ofTask), ["id"]);
  await requireUndoable(ofTask, task);
  const id = newId();
  const limits = { maxFailures, holdAfter, holdOnFailures };
  const createdBy = actorName(auditor?.actor);
  const row = { tenantId: tenant.id, id, kind, ofTask, ...limits, idempotencyKey, createdBy } as const;
  if (!(await insertUndo(transaction, { ...row, autoStart: autoStart ?? false }))) throw new TenantGone();
  const entry = request.plan
    ? ({ action: "bulkTask.created", details: { kind, task: ofTask } } as const)
    : ({ action: "bulkTask.undone", details: { task: ofTask } } as const);
  if (auditor) await audit(transaction, { ...auditor, ...entry, subjectId: id });
  if (autoStart) await markStarted(transaction, tenant.id, id, auditor);
  return id;
}

async function requireUndoable(id: string, task: TaskToUndo): Promise<void> {
  const { kind, status, executed, undo, openRetry, openRedo, laterUndo, laterRetry } = task;
  const inState = (why: string) => reject("InvalidTaskStateError", `Bulk task ${id} ${why}`, ["id"]);
  const never = (why: string) => reject("BulkTaskCannotBeUndoneError", `Bulk task ${id} ${why}`, ["id"]);
  if (kind === "plan") never("is a plan: it has changed nothing; undo the run of its file");
  if (status !== "complete" && status !== "error")
    inState(`is ${status}: cancel it or wait for its end, then undo what it has done`);
  if (executed === 0) never("has executed no operation: there is nothing to undo");
  if (openRetry !== null)
    inState(`is being retried by bulk task ${openRetry}: wait for its end, or cancel it`);
  if (undo?.isOpen) inState(`is being undone by bulk task ${undo.id}: wait for its end, or cancel it`);
  if (undo?.isWhole) inState(`was undone by bulk task ${undo.id}: to redo it, undo ${undo.id}`);
  if (openRedo !== null)
    inState(`has an undo that is being undone by bulk task ${openRedo}: wait for its end, or cancel it`);
  if (laterUndo !== null)
    inState(`was continued by bulk task ${laterUndo}, a later undo of the same task: undo that first`);
  if (laterRetry !== null)
    inState(
      `${kind === "retry" ? "was" : "undoes a retry that was"} continued by bulk task ${laterRetry}, a later retry: ` +
        "undo that first",
    );
  if (task.undosInRow >= undosInRow)
    inState(`is the last of ${undosInRow} undos in a row: make the change that you want with a file`);
  const lost = await lostRows(task);
  if (lost !== undefined) never(`${lost}. Make the changes that you want with a file`);
}

/**
 * Why a task's before-images are gone or no longer fit the tables, as the end of a sentence about the task; undefined
 * if they can be restored.
 */
export async function lostRows({ isPruned, keepsBefore, schema }: TaskToUndo): Promise<string | undefined> {
  if (isPruned) return "was pruned: its before-images are gone";
  if (!keepsBefore)
    return "has no before-images: its tenant's keepBeforeDays was 0 when it ran, or they were removed after that time";
  const tables = allCollections.map(({ table }) => table);
  const since = await migrationsThatName(tables, schema ?? "");
  if (since.length === 0) return undefined;
  return (
    `ran before an upgrade that has changed the tables (${since.join(", ")}): its before-images no longer ` +
    "fit"
  );
}
