import { TenantGone } from "../errors.ts";
import {
  deleteUploads,
  insertUpload,
  markUnnamed,
  type NewUpload,
  takeUpload,
  type Upload,
} from "../storage/bulk-tasks/uploads.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retry, whenTransient } from "../storage/retry.ts";
import { isTransient } from "../storage/sql-states.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { rejectMissing, uploadedFile } from "./file/uploaded-file.ts";

/** Records that a mass operation file may be uploaded under a new key. Throws `TenantGone`. */
export async function noteUpload(database: Database, upload: NewUpload): Promise<void> {
  if (!(await insertUpload(database, upload))) throw new TenantGone();
}

/**
 * Keeps an uploaded file for the task that this transaction creates; it is removed with the last of its tasks. Rejects
 * with `UploadNotFoundError` a file that is being removed, or that was removed after it was looked up.
 */
export async function keepUpload(transaction: Queries, store: ObjectStore, upload: Upload): Promise<void> {
  const taken = await takeUpload(transaction, upload);
  if (taken === undefined) await uploadedFile(store, upload.tenantId, upload.key);
  else if (taken.removing) rejectMissing(upload.key);
}

/** Files removed between two looks at `over`. */
const portion = 100;

/**
 * Removes the files of uploads that no task has named in time, of all tenants, until none are left or `over` returns
 * true. Can be interrupted, and run by several processes. Fails when the store does not delete a file; that one is for
 * the next sweep. Returns the number of uploads.
 */
export async function sweepUploads(
  { database, store }: { database: Database; store: ObjectStore },
  over: () => boolean,
): Promise<number> {
  for (let removed = 0; ; ) {
    if (over()) return removed;
    const uploads = await retried(() => markUnnamed(database, portion));
    const deletions = await Promise.allSettled(uploads.map(({ key }) => store.delete(key)));
    const gone = uploads.filter((_, at) => deletions[at]?.status === "fulfilled");
    await retried(() => deleteUploads(database, gone));
    for (const deletion of deletions) if (deletion.status === "rejected") throw deletion.reason;
    removed += gone.length;
    if (uploads.length < portion) return removed;
  }
}

const retried = <Result>(attempt: () => Promise<Result>): Promise<Result> =>
  retry(attempt, { afterFailure: whenTransient(isTransient) });
