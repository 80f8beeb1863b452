import { TenantGone } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
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

/**
 * Notes that a task is about to store an image that it has fetched. If another task of the tenant noted it, it is this
 * one's from now on; while that one is being swept, this waits until it is gone. Throws `TenantGone`.
 */
export async function noteFetched(
  queries: Queries,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  key: string,
): Promise<void> {
  if (!(await insertFetchedImage(queries, { tenantId, taskId, key }))) throw new TenantGone();
}

interface Services {
  readonly database: Database;
  readonly store: ObjectStore;
}

/**
 * Deletes images that tasks stored in vain, because the operations that asked for them failed or were never executed,
 * and forgets the notes about them. Can be interrupted anywhere and repeated. Errors are those of the database and the
 * object store. `over` leaves the rest for another time.
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
