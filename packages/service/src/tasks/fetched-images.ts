import { TenantGone } from "../errors.ts";
import { deleteImageFile } from "../media/stored-images.ts";
import type { Database } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import {
  deleteFetchedImages,
  imagesPerSweep,
  insertFetchedImage,
  lockSwept,
  type Swept,
  tenantsToSweep,
  unusedImages,
} from "../storage/task-details/fetched-images.ts";
import type { ObjectStore } from "../uploads/object-store.ts";

interface Services {
  readonly database: Database;
  readonly store: ObjectStore;
}

/**
 * Records that a task is about to store a fetched image. Takes over another task's record; if that image is being
 * swept, waits until it is deleted. Throws `TenantGone`, and the object store's errors.
 */
export async function noteFetched(
  { database, store }: Services,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  key: string,
): Promise<void> {
  const wasStored = (await store.stat(key)) !== undefined;
  if (!(await insertFetchedImage(database, { tenantId, taskId, key, wasStored }))) throw new TenantGone();
}

/**
 * Deletes orphaned images of tasks, whose operations failed or were never executed, and their records. Leaves files
 * that existed before a task to `sweepReleased`. Can be interrupted anywhere and repeated. Throws the errors of the
 * database and the object store. Stops when `over` returns true.
 */
export async function sweepFetched(
  { database, store }: Services,
  swept: Swept = {},
  over: () => boolean = () => false,
): Promise<void> {
  const tenants = swept.tenantId === undefined ? await tenantsToSweep(database) : [swept.tenantId];
  for (const tenantId of tenants)
    for (let count = imagesPerSweep; count === imagesPerSweep && !over(); )
      count = await retriedTransaction(database, async (transaction) => {
        const keys = await lockSwept(transaction, tenantId, swept.taskId);
        if (keys.length === 0) return 0;
        const unused = await unusedImages(transaction, tenantId, keys);
        await Promise.all([...unused].map((key) => deleteImageFile(store, key)));
        await deleteFetchedImages(transaction, tenantId, keys);
        return keys.length;
      });
}
