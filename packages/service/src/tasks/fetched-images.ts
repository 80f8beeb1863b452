import { createHash } from "node:crypto";
import { TenantGone } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import {
  deleteFetchedImages,
  imagesInUse,
  imagesInVain,
  imagesPerSweep,
  insertFetchedImage,
  lockReleased,
  lockSwept,
  type ReleasedImage,
  releasedImages,
  type Swept,
} from "../storage/task-details/fetched-images.ts";
import { isContentKey, mediaKeyPattern } from "../uploads/keys.ts";
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
 * object store.
 */
export async function sweepFetched({ database, store }: Services, swept: Swept = {}): Promise<void> {
  for (let count = imagesPerSweep; count === imagesPerSweep; )
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

/**
 * Deletes images that were undone for good, of one tenant or one tenant after the other, and forgets the notes about
 * them; `over` leaves the rest for another time. Content that names them is looked for once for all of a tenant: this
 * reads all its rows, so that no task does it. An image that another task releases meanwhile waits for the next round.
 * Can be interrupted and fails as `sweepFetched`.
 */
export async function sweepReleased(
  { database, store }: Services,
  { tenantId, over = () => false }: { tenantId?: string; over?: () => boolean } = {},
): Promise<void> {
  while (!over()) {
    const images = await releasedImages(database, tenantId);
    const [first] = images;
    if (first === undefined) return;
    const unused = await unusedImages(database, first.tenantId, images);
    for (let at = 0; at < images.length && !over(); at += imagesPerSweep)
      await retriedTransaction(database, async (transaction) => {
        const portion = images.slice(at, at + imagesPerSweep);
        const locked = await lockReleased(transaction, first.tenantId, portion);
        const keys = locked.map(({ key }) => key);
        const inVain = await imagesInVain(transaction, first.tenantId, keys);
        const removed = [...inVain].filter((key) => unused.has(key));
        await Promise.all(removed.map((key) => removeReleased(store, key)));
        await deleteFetchedImages(transaction, first.tenantId, keys);
      });
  }
}

/** The keys of a tenant's released images that have no row, and that no content names. */
async function unusedImages(
  queries: Queries,
  tenantId: string,
  images: readonly ReleasedImage[],
): Promise<Set<string>> {
  const allKeys = images.map(({ key }) => key);
  const inVain = await imagesInVain(queries, tenantId, allKeys);
  if (inVain.size === 0) return inVain;
  const inUse = await imagesInUse(queries, tenantId, {
    keys: [...inVain],
    pattern: mediaKeyPattern(tenantId),
  });
  return inVain.difference(inUse);
}

/** Deletes an image, unless a client has uploaded it: that was there before the task that registered it. */
async function removeReleased(store: ObjectStore, key: string): Promise<void> {
  if (await isFetched(store, key)) await store.delete(key);
}

async function isFetched(store: ObjectStore, key: string): Promise<boolean> {
  const file = await store.stat(key);
  if (file === undefined) return false;
  const hash = createHash("sha256");
  for await (const chunk of store.read(key, { etag: file.etag })) hash.update(chunk);
  return isContentKey(key, hash.digest("hex"));
}
