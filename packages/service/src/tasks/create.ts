import { reject, TenantGone } from "../errors.ts";
import { settings } from "../settings/settings.ts";
import { insertTask } from "../storage/bulk-tasks/create.ts";
import { findFirstRequest } from "../storage/bulk-tasks/find.ts";
import { noteRun } from "../storage/bulk-tasks/plans/plan-to-run.ts";
import { plansOfPlanner } from "../storage/bulk-tasks/plans/planners.ts";
import type { Database, Locks, Queries } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";
import { retry, whenTransient } from "../storage/retry.ts";
import { isTransient, sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import { copyTaskPictures, insertTaskPictures, type TaskPicture } from "../storage/task-details/pictures.ts";
import { locksAfterConflict, sharedLock } from "../storage/tenant-locks.ts";
import { tenantById } from "../storage/tenants/find.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { allowedHosts } from "../system/outbound/target.ts";
import { type Auditor, actorName, audit } from "../tenants/audit.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { checkedUrl, requireWebhook, type WebhookServices } from "../webhooks/setting.ts";
import { requirePendingFile } from "./applied-files.ts";
import type { BulkTask } from "./bulk-task.ts";
import { fileOf, requirePlan, type TaskFile } from "./file/planned-file.ts";
import { requireSameRequest } from "./file/same-request.ts";
import { allowedFile } from "./file/uploaded-file.ts";
import { findTask } from "./find.ts";
import { checkNewTask, kindOf, type NewTask, taskLimits } from "./new-task.ts";
import { digestOfPictures, pinnedPictures } from "./pictures.ts";
import { requireDate, startAtOf } from "./schedule.ts";
import { markStarted } from "./start.ts";
import { keepUpload } from "./uploads.ts";

/**
 * Registers an uploaded file as a bulk task; with `autoStart`, starts it. The task pins the file's ETag, so that a
 * later replacement is detected. `auditor` writes the audit trail. Rejects with
 * - `ValidationError` a request that breaks `taskLimits`, has a number below its minimum, or has another kind,
 * - `ValidationError` an `onFailure` of a plan, or of a tenant without before-images,
 * - `ValidationError` a date that the database's clock has passed or that is too far, or one with `autoStart`,
 * - `ValidationError` a URL that a webhook may not have,
 * - `WebhookNotFoundError` a URL if the tenant has no webhook,
 * - the errors of `fileOf` and `pinnedPictures`,
 * - `IdempotencyKeyExistsError` a different request with a used idempotency key,
 * - `InvalidTaskStateError` a run of a file that is applied, has failed or is running,
 * - `TooManyWaitingTasksError` a start beyond the tenant's limit, or a plan beyond that of its planner.
 */
export async function createTask(
  services: TaskServices,
  tenant: Tenant,
  given: NewTask,
  auditor?: Auditor,
): Promise<BulkTask> {
  checkNewTask(given);
  kindOf(given);
  const startAt = startAtOf(given.startAt);
  if (startAt !== null && given.autoStart)
    reject("ValidationError", "The task starts at startAt: leave out autoStart", ["autoStart"]);
  const { onFailure = null } = given;
  const maxFailures = given.maxFailures ?? (onFailure === null ? null : 0);
  const input = {
    ...given,
    startAt,
    onFailure,
    maxFailures,
    webhookUrl: await webhookOf(services, tenant, given),
  };
  const existing = await createdBefore(services, tenant, input);
  if (existing !== undefined) return existing;
  const file = await fileOf(services, tenant, input);
  const attempt = async (number: number) => {
    const same = number > 0 ? await createdBefore(services, tenant, input) : undefined;
    if (same !== undefined) return same;
    const locks =
      typeof input.appliedAs === "string"
        ? locksAfterConflict(tenant.id)
        : number > 0
          ? sharedLock(tenant.id)
          : undefined;
    // Anew each time: what conflicted may have deleted one.
    const pictures = await pinnedPictures(services, tenant, input.pictures ?? []);
    return storeTask({ ...services, locks }, tenant.id, input, { ...file, pictures }, auditor);
  };
  return retry(attempt, { afterFailure: whenTransient(mayPass) });
}

interface TaskServices {
  database: Database;
  store: ObjectStore;
  /** The rules for webhook URLs. Default: public addresses only. */
  webhooks?: Pick<WebhookServices, "allowed">;
}

/** The task's own URL, as stored; null if it has none. */
async function webhookOf(
  { database, webhooks }: TaskServices,
  tenant: Tenant,
  { webhookUrl }: NewTask,
): Promise<string | null> {
  if (typeof webhookUrl !== "string") return null;
  const allowed = webhooks?.allowed ?? allowedHosts([], settings.webhookHosts.variable);
  const url = checkedUrl(webhookUrl, allowed, ["webhookUrl"]);
  await requireWebhook(database, tenant.id);
  return url;
}

/** True for a conflict, and for a key taken by another request, which may be the same request. */
const mayPass = (error: unknown): boolean =>
  sqlStateOf(error) === sqlStates.uniqueViolation || isTransient(error);

/** The task already created by the same request, or undefined. */
async function createdBefore(
  { database, store }: { database: Database; store: ObjectStore },
  tenant: Tenant,
  input: NewTask,
): Promise<BulkTask | undefined> {
  if (typeof input.idempotencyKey !== "string") return undefined;
  const first = await findFirstRequest(database, tenant.id, kindOf(input), input.idempotencyKey);
  if (first === undefined) return undefined;
  await requireSameRequest(store, first, input, (key) => allowedFile(store, tenant, key));
  return findTask(database, tenant.id, first.id);
}

/** Rejects with `ValidationError` a run that is to be undone, if the tenant keeps no before-images. */
async function requireKeptBefore(transaction: Queries, tenantId: string): Promise<void> {
  const { settings } = await tenantById(transaction, tenantId);
  if (settings.keepBeforeDays > 0) return;
  const reason = "The tenant keeps no before-images (keepBeforeDays is 0), so that a run cannot be undone";
  reject("ValidationError", `${reason}: leave out onFailure`, ["onFailure"]);
}

/** Concurrent requests don't see each other's plan, so a few more may pass. */
async function refuseTooManyPlans(transaction: Queries, tenantId: string, plannerId: string): Promise<void> {
  const { open, recent } = await plansOfPlanner(transaction, tenantId, plannerId);
  if (recent >= taskLimits.dailyPlansOfPlanner)
    reject(
      "TooManyWaitingTasksError",
      `You have created ${recent} plans in 24 hours; the limit is ${taskLimits.dailyPlansOfPlanner}: ` +
        "plan several operations in one file",
    );
  if (open >= taskLimits.plansOfPlanner)
    reject(
      "TooManyWaitingTasksError",
      `${open} of your plans have not ended; the limit is ${taskLimits.plansOfPlanner}: ` +
        "cancel one, or wait until it has ended",
    );
}

async function storeTask(
  { database, store, locks }: TaskServices & { locks: Locks | undefined },
  tenantId: string,
  input: NewTask,
  { key, etag, pictures }: TaskFile & { pictures: readonly TaskPicture[] },
  auditor: Auditor | undefined,
): Promise<BulkTask> {
  const { autoStart, strict, idempotencyKey = null, plan: ofTask = null, appliedAs = null } = input;
  const { startAt = null, onFailure = null, plannerId = null } = input;
  const id = newId();
  const kind = kindOf(input);
  const flags = { strict: strict ?? false, autoStart: autoStart ?? false };
  const { maxFailures = null, holdAfter = null, holdOnFailures = null, webhookUrl = null } = input;
  const limits = { maxFailures, holdAfter, holdOnFailures };
  const createdBy = actorName(auditor?.actor);
  const row = {
    ...{ tenantId, id, kind, ofTask, key, etag, idempotencyKey, webhookUrl, createdBy, appliedAs },
    ...limits,
    ...flags,
    ...{ plannerId, onFailure, startAt, requestedStartAt: startAt },
  };
  await database.transaction(async (transaction) => {
    let picturesSha256 = digestOfPictures(pictures);
    if (ofTask !== null) {
      ({ picturesSha256 } = await requirePlan(transaction, tenantId, ofTask, idempotencyKey));
      await noteRun(transaction, { tenantId, ofTask, id });
    }
    if (plannerId !== null) await refuseTooManyPlans(transaction, tenantId, plannerId);
    if (appliedAs !== null) await requirePendingFile(transaction, tenantId, appliedAs);
    const created = await insertTask(transaction, { ...row, picturesSha256 });
    if (!created) throw new TenantGone();
    if (typeof input.key === "string") await keepUpload(transaction, store, { tenantId, key });
    if (pictures.length > 0) await insertTaskPictures(transaction, { tenantId, taskId: id }, pictures);
    else if (picturesSha256 !== null && ofTask !== null)
      await copyTaskPictures(transaction, { tenantId, taskId: id }, ofTask);
    if (onFailure !== null) await requireKeptBefore(transaction, tenantId);
    if (auditor)
      await audit(transaction, {
        ...auditor,
        action: "bulkTask.created",
        subjectId: id,
        details: {
          key,
          ...(kind !== "run" && { kind }),
          ...(ofTask !== null && { plan: ofTask }),
          ...(startAt && { startAt }),
        },
      });
    if (startAt !== null) await requireDate(transaction, tenantId, startAt);
    if (autoStart) await markStarted(transaction, tenantId, id, auditor);
  }, locks);
  const task = await findTask(database, tenantId, id);
  if (task === undefined) throw new TenantGone();
  return task;
}
