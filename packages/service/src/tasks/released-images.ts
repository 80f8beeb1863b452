import { TenantGone } from "../errors.ts";
import { deleteImageFile } from "../media/stored-images.ts";
import type { Database } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { deleteFetchedImages, imagesPerSweep, unusedImages } from "../storage/task-details/fetched-images.ts";
import { findNamedImages, noteImagesToBringBack } from "../storage/task-details/named-images.ts";
import { deletePictures, statedDigests } from "../storage/task-details/pictures.ts";
import {
  lockReleased,
  type ReleasedImage,
  releasedImages,
  tenantsWithReleasedImages,
} from "../storage/task-details/released-images.ts";
import { locksOf } from "../storage/tenant-locks.ts";
import { tenantToLockExclusively } from "../storage/tenants/find.ts";
import { isContentKey, mediaKeyPattern, mediaKeyPrefix } from "../uploads/keys.ts";
import { type ObjectStore, sha256Of } from "../uploads/object-store.ts";

interface Services {
  readonly database: Database;
  readonly store: ObjectStore;
}

/** Tenants swept concurrently: each needs about 2 MiB for the keys of a round. */
const tenantsAtOnce = 8;

/** Scans of a tenant's rows per sweep; images released later wait for the next sweep. */
const roundsPerSweep = 10;

/**
 * Deletes images that were undone for good, pictures that nothing uses any more, and images whose files existed before
 * a task fetched them without using them, with their records; of one tenant, or of all in rotation. Stops when `over`
 * returns true. References to many images are searched in one scan, which reads all of a tenant's rows; that is why
 * tasks don't do it. An image released meanwhile waits for the next round or call. Can be interrupted. Fails like
 * `sweepFetched`, after trying all tenants.
 */
export async function sweepReleased(
  services: Services,
  { tenantId, over = () => false }: { tenantId?: string; over?: () => boolean } = {},
): Promise<void> {
  const tenantIds = tenantId === undefined ? await tenantsWithReleasedImages(services.database) : [tenantId];
  const waiting = tenantIds.map((id) => sweepTenant(services, id));
  let sweeps = waiting.splice(0, tenantsAtOnce);
  const errors: unknown[] = [];
  while (sweeps.length > 0) {
    const open: typeof sweeps = [];
    for (const sweep of sweeps) {
      if (over()) return;
      try {
        if (!(await sweep.next()).done) open.push(sweep);
      } catch (error) {
        errors.push(error);
      }
    }
    sweeps = [...open, ...waiting.splice(0, tenantsAtOnce - open.length)];
  }
  if (errors.length > 0) throw errors[0];
}

/** Deletes the released images of a tenant; yields after each small step. */
async function* sweepTenant(services: Services, tenantId: string): AsyncGenerator<void> {
  for (let round = 0; round < roundsPerSweep; round++) {
    const images = await releasedImages(services.database, tenantId);
    if (images.length === 0) return;
    const unused = new Set<string>();
    yield* findUnused(services.database, { tenantId, images, unused });
    for (let at = 0; at < images.length; at += imagesPerSweep) {
      await deletePortion(services, tenantId, { images: images.slice(at, at + imagesPerSweep), unused });
      yield;
    }
  }
}

interface Scan {
  readonly tenantId: string;
  readonly images: readonly ReleasedImage[];
  readonly unused: Set<string>;
}

/** Adds to `unused` the released images that have no row, that no row refers to, and that no undo would restore. */
async function* findUnused(database: Database, { tenantId, images, unused }: Scan): AsyncGenerator<void> {
  const allKeys = images.map(({ key }) => key);
  const keys = await unusedImages(database, tenantId, allKeys);
  if (keys.size === 0 || !(await awaitOlderWriters(database, tenantId))) return;
  const named = new Set<string>();
  const sought = { tenantId, prefix: mediaKeyPrefix(tenantId), pattern: mediaKeyPattern(tenantId) };
  yield* findNamedImages(database, { ...sought, keys }, named);
  const left = keys.difference(named);
  // After the rows: a reference removed meanwhile is in a before-image, or its writer knows of the records.
  if (left.size > 0) yield* noteImagesToBringBack(database, { ...sought, keys: left });
  for (const key of left) unused.add(key);
}

/**
 * Waits for the tenant's writers that may not know of its released images: later ones keep the images they refer to
 * (`UnitOfWork.keepImages`). Returns false when the tenant is being deleted.
 */
async function awaitOlderWriters(database: Database, tenantId: string): Promise<boolean> {
  try {
    const locks = locksOf("exclusive", tenantId);
    await retriedTransaction(database, (own) => tenantToLockExclusively(own, tenantId), undefined, locks);
    return true;
  } catch (error) {
    if (error instanceof TenantGone) return false;
    throw error;
  }
}

/** Deletes images that are unused and were not referenced meanwhile, and the records of all. */
async function deletePortion(
  { database, store }: Services,
  tenantId: string,
  { images, unused }: Omit<Scan, "tenantId">,
): Promise<void> {
  const sought = images.map(({ key }) => key).filter((key) => unused.has(key));
  const pictures = await statedDigests(database, tenantId, sought);
  const fetched = await Promise.all(
    sought.map(async (key) => !pictures.has(key) && (await isFetched(store, key)) && key),
  );
  const removable = new Set([...pictures.keys(), ...fetched.filter((key) => key !== false)]);
  await retriedTransaction(database, async (transaction) => {
    const locked = await lockReleased(transaction, tenantId, images);
    const keys = locked.map(({ key }) => key);
    const unused = await unusedImages(transaction, tenantId, keys);
    const removed = [...unused.intersection(removable)];
    await Promise.all(removed.map((key) => deleteImageFile(store, key)));
    if (pictures.size > 0) await deletePictures(transaction, tenantId, removed);
    await deleteFetchedImages(transaction, tenantId, keys);
  });
}

/** True for an image fetched by the service: one uploaded by a client, not for a path, existed before the task. */
async function isFetched(store: ObjectStore, key: string): Promise<boolean> {
  const file = await store.stat(key);
  return file !== undefined && isContentKey(key, await sha256Of(store, key, file.etag));
}
