import { reject, TenantGone } from "../errors.ts";
import { insertTask } from "../storage/bulk-tasks/create.ts";
import { findFirstRequest } from "../storage/bulk-tasks/find.ts";
import type { Database, Turns } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";
import { retry, whenTransient } from "../storage/retry.ts";
import { isTransient, sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { besideOthers } from "../storage/turns.ts";
import { type Auditor, audit } from "../tenants/audit.ts";
import { isUploadKey } from "../uploads/keys.ts";
import type { ObjectStore, StoredObject } from "../uploads/object-store.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask } from "./find.ts";
import { checkNewTask, type NewTask } from "./new-task.ts";
import { requireSameRequest } from "./same-request.ts";
import { markStarted } from "./start.ts";

/**
 * Registers an uploaded file as a bulk task and, with `autoStart`, starts it. The task pins the file's ETag: a file
 * that is replaced later is noticed. `auditor` writes it to the audit trail. Rejects with
 * - `ValidationError` a request that breaks `taskLimits`, or allows a negative number of failures,
 * - `UploadNotFoundError` a key under which the tenant has uploaded nothing,
 * - `IdempotencyKeyExistsError` another request under an idempotency key that is in use,
 * - `TooManyWaitingTasksError` a start beyond the tenant's limit.
 */
export async function createTask(
  services: { database: Database; store: ObjectStore },
  tenant: Tenant,
  input: NewTask,
  auditor?: Auditor,
): Promise<BulkTask> {
  checkNewTask(input);
  const existing = await createdBefore(services, tenant, input);
  if (existing !== undefined) return existing;
  const { etag } = await uploadedFile(services.store, tenant, input.key);
  const attempt = async (number: number) => {
    const same = number > 0 ? await createdBefore(services, tenant, input) : undefined;
    if (same !== undefined) return same;
    const turns = number > 0 ? besideOthers(tenant.id) : undefined;
    return storeTask({ ...services, turns }, tenant.id, input, etag, auditor);
  };
  return retry(attempt, { afterFailure: whenTransient(mayPass) });
}

/** True for a conflict, and for a key that another request took: it may be the same request. */
const mayPass = (error: unknown): boolean =>
  sqlStateOf(error) === sqlStates.uniqueViolation || isTransient(error);

/** The task that the same request has created already, or undefined. */
async function createdBefore(
  { database, store }: { database: Database; store: ObjectStore },
  tenant: Tenant,
  input: NewTask,
): Promise<BulkTask | undefined> {
  if (typeof input.idempotencyKey !== "string") return undefined;
  const first = await findFirstRequest(database, tenant.id, input.idempotencyKey);
  if (first === undefined) return undefined;
  await requireSameRequest(store, first, input, () => uploadedFile(store, tenant, input.key));
  return findTask(database, tenant.id, first.id);
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

async function storeTask(
  { database, turns }: { database: Database; turns: Turns | undefined },
  tenantId: string,
  { key, autoStart, maxFailures = null, strict, idempotencyKey = null }: NewTask,
  etag: string,
  auditor: Auditor | undefined,
): Promise<BulkTask> {
  const id = newId();
  const flags = { strict: strict ?? false, autoStart: autoStart ?? false };
  const row = { tenantId, id, key, etag, maxFailures, idempotencyKey, ...flags };
  await database.transaction(async (transaction) => {
    const created = await insertTask(transaction, row);
    if (!created) throw new TenantGone();
    if (auditor)
      await audit(transaction, { ...auditor, action: "bulkTask.created", subjectId: id, details: { key } });
    if (autoStart) await markStarted(transaction, tenantId, id, auditor);
  }, turns);
  const task = await findTask(database, tenantId, id);
  if (task === undefined) throw new TenantGone();
  return task;
}
