import { reject } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { isUploadKey } from "../uploads/keys.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask } from "./find.ts";
import { wakeRunners } from "./wake.ts";

/**
 * Registers an uploaded file as a bulk task and, with `autoStart`, starts it. The task pins the file's ETag: a file
 * that is replaced later is noticed. Rejects with `UploadNotFoundError` for a key of nothing or of another tenant.
 */
export async function createTask(
  services: { database: Database; store: ObjectStore },
  tenant: Tenant,
  input: { key: string; autoStart?: boolean | null },
): Promise<BulkTask> {
  const { database, store } = services;
  const uploaded = isUploadKey(input.key, tenant.id, "MASS_OPERATIONS")
    ? await store.stat(input.key)
    : undefined;
  if (uploaded === undefined)
    reject(
      "UploadNotFoundError",
      `Nothing was uploaded under the key "${input.key}". Use the value of the field named "key" of ` +
        "generatePresignedUploadRequest, after the upload was answered with 201",
      ["key"],
    );
  const id = newId();
  await database.transaction(async (transaction) => {
    await transaction.execute(
      `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag)
       VALUES ($1, $2, 'massOperation', 'pending', $3, $4)`,
      [tenant.id, id, input.key, uploaded.etag],
    );
    if (input.autoStart) await markStarted(transaction, tenant.id, id);
  });
  return (await findTask(database, tenant.id, id)) as BulkTask;
}

/** Moves a pending task to `started` and wakes the runners; false when it is not pending. */
export async function markStarted(transaction: Queries, tenantId: string, id: string): Promise<boolean> {
  const started = await transaction.execute(
    `UPDATE bulk_tasks SET status = 'started', started_at = now(), start_order = nextval('bulk_task_start_order')
     WHERE tenant_id = $1 AND id = $2 AND status = 'pending'`,
    [tenantId, id],
  );
  if (started === 1) await wakeRunners(transaction);
  return started === 1;
}
