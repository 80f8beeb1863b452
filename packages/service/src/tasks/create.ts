import { reject, TenantGone } from "../errors.ts";
import { backOff } from "../storage/back-off.ts";
import { wakeRunners } from "../storage/bulk-tasks/wake.ts";
import type { Database, Queries, Turns } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";
import { isTransient, sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import { isOpen } from "../storage/tenants/find.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { besideOthers } from "../storage/turns.ts";
import { type Auditor, audit } from "../tenants/audit.ts";
import { isUploadKey } from "../uploads/keys.ts";
import type { ObjectStore, StoredObject } from "../uploads/object-store.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask } from "./find.ts";
import { taskLimits } from "./limits.ts";
import { firstRequest, requireSameRequest } from "./same-request.ts";

export interface NewTask {
  /** Where the file was uploaded to. */
  key: string;
  autoStart?: boolean | null;
  /** How many operations may fail; one more ends the task in `error`. Default: any number. */
  maxFailures?: number | null;
  /** Every warning about the file is an error: nothing is executed. Default: false. */
  strict?: boolean | null;
  /** The same request again answers the task of the first and changes nothing; another is refused. */
  idempotencyKey?: string | null;
}

/**
 * Registers an uploaded file as a bulk task and, with `autoStart`, starts it. The task pins the file's ETag: a file
 * that is replaced later is noticed. Rejects with `UploadNotFoundError` for a key of nothing or of another tenant,
 * with `ValidationError` what breaks `taskLimits`, and with `IdempotencyKeyExistsError` another request under an
 * idempotency key that is in use, and with `TooManyWaitingTasksError` the start of one too many. The audit trail has it
 * by `auditor`.
 */
export async function createTask(
  services: { database: Database; store: ObjectStore },
  tenant: Tenant,
  input: NewTask,
  auditor?: Auditor,
): Promise<BulkTask> {
  checkNewTask(input);
  const known = await createdBefore(services, tenant, input);
  if (known !== undefined) return known;
  const { etag } = await uploadedFile(services.store, tenant, input.key);
  for (let attempt = 0; ; attempt++) {
    try {
      const turns = attempt > 0 ? besideOthers(tenant.id) : undefined;
      return await insertTask({ ...services, turns }, tenant.id, input, etag, auditor);
    } catch (error) {
      if (sqlStateOf(error) !== sqlStates.uniqueViolation && !isTransient(error)) throw error;
      await backOff(attempt);
      const same = await createdBefore(services, tenant, input);
      if (same !== undefined) return same;
    }
  }
}

/** The task that the same request has created already, or undefined. */
async function createdBefore(
  { database, store }: { database: Database; store: ObjectStore },
  tenant: Tenant,
  input: NewTask,
): Promise<BulkTask | undefined> {
  const first = await firstRequest(database, tenant.id, input.idempotencyKey);
  if (first === undefined) return undefined;
  await requireSameRequest(store, first, input, () => uploadedFile(store, tenant, input.key));
  return findTask(database, tenant.id, first.id);
}

function checkNewTask({ maxFailures, idempotencyKey }: NewTask): void {
  if (typeof maxFailures === "number" && maxFailures < 0)
    reject("ValidationError", `maxFailures is ${maxFailures}: it must be 0 or more`, ["maxFailures"]);
  if (typeof idempotencyKey !== "string") return;
  const { idempotencyKeyLength } = taskLimits;
  if (idempotencyKey === "" || idempotencyKey.length > idempotencyKeyLength || /\p{Cc}/u.test(idempotencyKey))
    reject(
      "ValidationError",
      `idempotencyKey must have 1 to ${idempotencyKeyLength} characters, none of them a control character`,
      ["idempotencyKey"],
    );
}

async function uploadedFile(store: ObjectStore, tenant: Tenant, key: string): Promise<StoredObject> {
  const uploaded = isUploadKey(key, tenant.id, "MASS_OPERATIONS") ? await store.stat(key) : undefined;
  if (uploaded !== undefined) return uploaded;
  return reject(
    "UploadNotFoundError",
    `Nothing was uploaded under the key "${key}". Use the value of the field named "key" of ` +
      "generatePresignedUploadRequest, after the upload was answered with 201",
    ["key"],
  );
}

async function insertTask(
  { database, turns }: { database: Database; turns: Turns | undefined },
  tenantId: string,
  { key, autoStart, maxFailures = null, strict, idempotencyKey = null }: NewTask,
  etag: string,
  auditor: Auditor | undefined,
): Promise<BulkTask> {
  const id = newId();
  await database.transaction(async (transaction) => {
    const created = await transaction.execute(
      `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, max_failures, strict, auto_start, idempotency_key)
       SELECT t.id, $2, 'massOperation', 'pending', $3, $4, $5, $6, $7, $8 FROM tenants t
       WHERE t.id = $1 AND ${isOpen}`,
      [tenantId, id, key, etag, maxFailures, strict ?? false, autoStart ?? false, idempotencyKey],
    );
    if (created === 0) throw new TenantGone();
    if (auditor)
      await audit(transaction, { ...auditor, action: "bulkTask.created", subjectId: id, details: { key } });
    if (autoStart) await markStarted(transaction, tenantId, id, auditor);
  }, turns);
  const task = await findTask(database, tenantId, id);
  if (task === undefined) throw new TenantGone();
  return task;
}

/**
 * Moves a pending task to `started` and wakes the runners; false when it is not pending. Rejects with
 * `TooManyWaitingTasksError`.
 */
export async function markStarted(
  transaction: Queries,
  tenantId: string,
  id: string,
  auditor?: Auditor,
): Promise<boolean> {
  const started = await transaction.execute(
    `UPDATE bulk_tasks SET status = 'started', started_at = now(), start_order = nextval('bulk_task_start_order')
     WHERE tenant_id = $1 AND id = $2 AND status = 'pending'`,
    [tenantId, id],
  );
  if (started === 0) return false;
  await refuseTooMany(transaction, tenantId);
  if (auditor) await audit(transaction, { ...auditor, action: "bulkTask.started", subjectId: id });
  await wakeRunners(transaction);
  return true;
}

/** Starts at the same moment do not see each other, so that there may be some more. */
async function refuseTooMany(transaction: Queries, tenantId: string): Promise<void> {
  const [row] = await transaction.query<{ waiting: number; most: number }>(
    `SELECT (settings->>'maxWaitingTasks')::int AS most,
       (SELECT count(*) FROM bulk_tasks WHERE tenant_id = $1 AND status IN ('started', 'running')) AS waiting
     FROM tenants WHERE id = $1`,
    [tenantId],
  );
  if (row === undefined || row.waiting <= row.most) return;
  reject(
    "TooManyWaitingTasksError",
    `The tenant has ${row.waiting - 1} started tasks that have not ended; its limit is ${row.most}. Start this one when ` +
      "some of them have ended",
  );
}
