import { type Problem, reject } from "../../errors.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { isUploadKey } from "../../uploads/keys.ts";
import type { ObjectStore, StoredObject } from "../../uploads/object-store.ts";

/**
 * Finds an uploaded file of a size that the tenant may use. Rejects with `UploadNotFoundError` a key without an upload
 * of the tenant, and with `ValidationError` a larger file.
 */
export async function allowedFile(store: ObjectStore, tenant: Tenant, key: string): Promise<StoredObject> {
  const file = await uploadedFile(store, tenant.id, key);
  requireAllowedSize(tenant, file.bytes, "The file", ["key"]);
  return file;
}

/** Rejects with `ValidationError` what is larger than the tenant's limit: not every store checks what was signed. */
export function requireAllowedSize(tenant: Tenant, bytes: number, what: string, path: Problem["path"]): void {
  const { uploadMaxBytes: most } = tenant.settings;
  if (bytes > most)
    reject("ValidationError", `${what} has ${bytes} bytes; the tenant's limit is ${most}`, path);
}

/** Finds an uploaded file. Rejects with `UploadNotFoundError` a key without an upload of the tenant. */
export async function uploadedFile(store: ObjectStore, tenantId: string, key: string): Promise<StoredObject> {
  const uploaded = isUploadKey(key, tenantId, "MASS_OPERATIONS") ? await store.stat(key) : undefined;
  return uploaded ?? rejectMissing(key);
}

/** Rejects a key without an upload with `UploadNotFoundError`. */
export const rejectMissing = (key: string): never =>
  reject(
    "UploadNotFoundError",
    `Nothing was uploaded under the key "${key}". Use the value of the field named "key" of ` +
      "generatePresignedUploadRequest, after the store has taken the upload",
    ["key"],
  );
