import { TenantGone } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import {
  deleteFetchedImages,
  imagesInVain,
  imagesPerSweep,
  insertFetchedImage,
  lockSwept,
  type Swept,
} from "../storage/task-details/fetched-images.ts";
import type { ObjectStore } from "../uploads/object-store.ts";

interface Services {
  readonly database: Database;
  readonly store: ObjectStore;
}

/**
 * Notes that a task is about to store a fetched image. If another task of the tenant noted it, the note passes to this
 * one; if that one is being swept, this waits until it is gone. Throws `TenantGone`, and the errors of the object
 * store.
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
 * Deletes orphaned images of tasks, whose operations failed or were never executed, and the notes about them. Files
 * that were there before a task are left to `sweepReleased`. Can be interrupted anywhere and repeated. Errors are those
 * of the database and the object store. `over` leaves the rest for another time.
 */
export async function sweepFetched(
  { database, store }: Services,
  swept: Swept = {},
  over: () => boolean = () => false,
): Promise<void> {
  for (let count = imagesPerSweep; count === imagesPerSweep && !over(); )
    count = await retriedTransaction(database, async (transaction) => {
      const rows = await lockSwept(transaction, swept);
      for (const [tenantId, images] of Map.groupBy(rows, (row) => row.tenantId)) {
        const keys = images.map(({ key }) => key);
        const inVain = await imagesInVain(transaction, tenantId, keys);
        await Promise.all([...inVain].map((key) => store.delete(key)));
        await deleteFetchedImages(transaction, tenantId, keys);
      }
      return rows.length;
    });
}
