import { createHash } from "node:crypto";
import { misuseOfPicturePath, mostPictures, type Problem, shortened } from "@lading/schema/internal";
import { codeOf, reject, rejectAll, TenantGone } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { retry, whenTransient } from "../storage/retry.ts";
import { isTransient } from "../storage/sql-states.ts";
import {
  insertPicture,
  picturesWith,
  releaseUntaken,
  renewPictures,
  type StoredPicture,
  statedDigests,
  type TaskPicture,
} from "../storage/task-details/pictures.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { concurrently } from "../system/concurrently.ts";
import { isUploadKey } from "../uploads/keys.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { requireAllowedSize } from "./file/uploaded-file.ts";

/** Limits of pictures; docs/limits.md lists them. */
export const pictureLimits = {
  /** Paths that a task's file may name. */
  paths: mostPictures,
  /** Digests that one query may ask for. */
  digests: 1_000,
} as const;

/** A picture of a request: the path in the file, and the key that it was uploaded under. */
export type GivenPicture = Pick<TaskPicture, "path" | "key">;

interface Services {
  readonly database: Database;
  readonly store: ObjectStore;
}

/** Look-ups in the object store at a time. */
const lookUps = 32;

/** Missing pictures that an error lists. */
const mostMissing = 100;

/** The SHA-256 of the paths and keys, whatever their order; null without any. */
export const digestOfPictures = (pictures: readonly GivenPicture[] | null | undefined): string | null =>
  pictures?.length
    ? createHash("sha256")
        .update(JSON.stringify(pictures.map(({ path, key }) => [path, key]).sort()))
        .digest("hex")
    : null;

/**
 * Pins the uploads of a task's pictures. Rejects with
 * - `ValidationError` too many, a path that is none, one that is given twice, and a picture above the tenant's limit,
 * - `UploadNotFoundError` keys without an upload of the tenant.
 */
export async function pinnedPictures(
  { database, store }: Services,
  tenant: Tenant,
  pictures: readonly GivenPicture[],
): Promise<TaskPicture[]> {
  checkPictures(pictures);
  if (pictures.length === 0) return [];
  const keys = pictures.map(({ key }) => key);
  // Before the look-ups: storing the pictures notices what is deleted from here on.
  const stated = await statedDigests(database, tenant.id, keys);
  const found = await concurrently(pictures, lookUps, async ({ path, key }) => {
    const file = isUploadKey(key, tenant.id, "MEDIA") ? await store.stat(key) : undefined;
    requireAllowedSize(tenant, file?.bytes ?? 0, `The picture "${path}"`, ["pictures"]);
    return { path, key, etag: file?.etag, sha256: stated.get(key) ?? null };
  });
  const missing = found.flatMap(({ path, key, etag }, at): Problem[] => {
    const message = `Nothing was uploaded with the type MEDIA under the key "${shortened(key)}" of the picture "${path}"`;
    return etag === undefined
      ? [{ code: codeOf("UploadNotFoundError"), message, path: ["pictures", at] }]
      : [];
  });
  if (missing.length > 0) rejectAll("UploadNotFoundError", missing.slice(0, mostMissing));
  return found.flatMap(({ etag, ...picture }) => (etag === undefined ? [] : [{ ...picture, etag }]));
}

function checkPictures(pictures: readonly GivenPicture[]): void {
  const { paths } = pictureLimits;
  if (pictures.length > paths)
    reject("ValidationError", `There are ${pictures.length} pictures; a task may have ${paths}`, [
      "pictures",
    ]);
  const seen = new Set<string>();
  for (const [at, { path }] of pictures.entries()) {
    const misuse = misuseOfPicturePath(path);
    if (misuse !== undefined) reject("ValidationError", misuse, ["pictures", at, "path"]);
    if (seen.has(path))
      reject("ValidationError", `The picture "${path}" is given twice`, ["pictures", at, "path"]);
    seen.add(path);
  }
}

/** A digest as clients state it. */
const digest = /^[0-9a-f]{64}$/;

/** Rejects with `ValidationError` a text that is not a SHA-256. */
export function requireDigest(sha256: string, path: readonly (string | number)[]): void {
  if (!digest.test(sha256))
    reject("ValidationError", `"${shortened(sha256)}" is not a SHA-256: 64 lower-case hexadecimal digits`, [
      ...path,
    ]);
}

/** Records that a picture may be uploaded under a new key. Throws `TenantGone`. */
export async function notePicture(
  database: Database,
  tenantId: string,
  picture: StoredPicture,
): Promise<void> {
  if (!(await insertPicture(database, tenantId, picture))) throw new TenantGone();
}

/**
 * Finds images and pictures of the tenant by their digests, one for each, and keeps them for another `untakenHours`.
 * Rejects with `ValidationError` too many digests, and texts that are none.
 */
export async function findPictures(
  { database, store }: Services,
  tenantId: string,
  digests: readonly string[],
): Promise<StoredPicture[]> {
  const most = pictureLimits.digests;
  if (digests.length > most)
    reject("ValidationError", `There are ${digests.length} digests; a query may have ${most}`, ["sha256"]);
  for (const [at, each] of digests.entries()) requireDigest(each, ["sha256", at]);
  const candidates = await picturesWith(database, tenantId, digests);
  const found = new Map<string, StoredPicture>();
  const groups = [...Map.groupBy(candidates, ({ sha256 }) => sha256).values()];
  await concurrently(groups, lookUps, async (group) => {
    for (const { sha256, key } of group)
      if ((await store.stat(key)) !== undefined) return void found.set(sha256, { sha256, key });
  });
  const pictures = [...found.values()];
  const keys = pictures.map(({ key }) => key);
  await retry(() => renewPictures(database, tenantId, keys), { afterFailure: whenTransient(isTransient) });
  return pictures;
}

/** Pictures released per statement. */
const portion = 1_000;

/** Releases pictures that no task has named in time, for the sweep, until none are left or `over` returns true. */
export async function releaseUntakenPictures(database: Database, over: () => boolean): Promise<void> {
  for (let count = portion; count === portion && !over(); )
    count = await retry(() => releaseUntaken(database, portion), {
      afterFailure: whenTransient(isTransient),
    });
}
