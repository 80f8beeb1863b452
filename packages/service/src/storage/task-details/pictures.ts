import type { Queries } from "../database.ts";
import { sqlStates } from "../sql-states.ts";
import { heldTenant } from "../tenants/find.ts";
import { insertReleasedImages, keepReleasedImages } from "./released-images.ts";

/** A picture that a path in a task's file stands for. */
export interface TaskPicture {
  readonly path: string;
  readonly key: string;
  /** Of the upload, when the task was created. */
  readonly etag: string;
  /** The digest that the client had stated then; null without one. */
  readonly sha256: string | null;
}

/** A picture of the tenant. */
export interface StoredPicture {
  readonly sha256: string;
  readonly key: string;
}

/** Records that a client may upload a picture with this digest. False when the tenant was deleted. */
export async function insertPicture(
  queries: Queries,
  tenantId: string,
  { key, sha256 }: StoredPicture,
): Promise<boolean> {
  const inserted = await queries.execute(
    `INSERT INTO pictures (tenant_id, key, sha256) ${heldTenant("t.id, $2, $3")}`,
    [tenantId, key, sha256],
  );
  return inserted > 0;
}

/**
 * The tenant's registered images with these digests, and its pictures, which may not be uploaded yet; without those
 * that are known to have another digest than was stated.
 */
export function picturesWith(
  queries: Queries,
  tenantId: string,
  digests: readonly string[],
): Promise<(StoredPicture & { readonly isRegistered: boolean })[]> {
  return queries.query(
    `SELECT i.sha256, min(i.key) AS key, true AS "isRegistered" FROM images i
     WHERE i.tenant_id = $1 AND i.sha256 = ANY($2::text[]) GROUP BY i.sha256
     UNION ALL SELECT p.sha256, p.key, false FROM pictures p
     LEFT JOIN images i ON i.tenant_id = $1 AND i.key = p.key
     WHERE p.tenant_id = $1 AND p.sha256 = ANY($2::text[]) AND coalesce(i.sha256, p.sha256) = p.sha256
     ORDER BY "isRegistered" DESC, key`,
    [tenantId, digests],
  );
}

/** Keeps pictures that no task has named for another `untakenHours`. */
export async function renewPictures(
  queries: Queries,
  tenantId: string,
  keys: readonly string[],
): Promise<void> {
  await queries.execute(
    "UPDATE pictures SET requested_at = now() WHERE tenant_id = $1 AND key = ANY($2::text[]) AND NOT taken",
    [tenantId, keys],
  );
}

/** Corrects the digest of a picture: the client had stated another one. */
export async function correctPicture(
  queries: Queries,
  tenantId: string,
  { key, sha256 }: StoredPicture,
): Promise<void> {
  await queries.execute("UPDATE pictures SET sha256 = $3 WHERE tenant_id = $1 AND key = $2", [
    ...[tenantId, key, sha256],
  ]);
}

/** The digests that clients stated for these uploads, by key. */
export async function statedDigests(
  queries: Queries,
  tenantId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.query<StoredPicture>(
    "SELECT key, sha256 FROM pictures WHERE tenant_id = $1 AND key = ANY($2::text[])",
    [tenantId, keys],
  );
  return new Map(rows.map(({ key, sha256 }) => [key, sha256]));
}

interface OfTask {
  readonly tenantId: string;
  readonly taskId: string;
}

/** A picture was deleted or corrected after it was looked up. Treated as a serialization failure. */
class LostPicture extends Error {
  override name = "LostPicture";
  readonly code = sqlStates.serializationFailure;
}

/**
 * Stores the pictures of a new task, which are kept as long as the task has its details. A sweep that has deleted one
 * after its digest was read is a conflict (40001).
 */
export async function insertTaskPictures(
  transaction: Queries,
  { tenantId, taskId }: OfTask,
  pictures: readonly TaskPicture[],
): Promise<void> {
  const keys = pictures.map(({ key }) => key);
  const column = (name: keyof TaskPicture) => pictures.map((picture) => picture[name]);
  const inserted = await transaction.execute(
    `INSERT INTO task_pictures (tenant_id, task_id, path, key, etag, sha256)
     SELECT $1, $2, given.* FROM unnest($3::text[], $4::text[], $5::text[], $6::text[])
       AS given (path, key, etag, sha256)
     LEFT JOIN pictures p ON p.tenant_id = $1 AND p.key = given.key
     WHERE p.sha256 IS NOT DISTINCT FROM given.sha256`,
    [tenantId, taskId, column("path"), keys, column("etag"), column("sha256")],
  );
  if (inserted < pictures.length) throw new LostPicture("a picture was deleted or corrected meanwhile");
  await transaction.execute(
    "UPDATE pictures SET taken = true WHERE tenant_id = $1 AND key = ANY($2::text[]) AND NOT taken",
    [tenantId, keys],
  );
  await keepReleasedImages(transaction, tenantId, keys);
}

/** Gives a new task the pictures of the one that it repeats. */
export async function copyTaskPictures(
  transaction: Queries,
  { tenantId, taskId }: OfTask,
  from: string,
): Promise<void> {
  await transaction.execute(
    `INSERT INTO task_pictures (tenant_id, task_id, path, key, etag, sha256)
     SELECT tenant_id, $3, path, key, etag, sha256 FROM task_pictures WHERE tenant_id = $1 AND task_id = $2`,
    [tenantId, from, taskId],
  );
}

export function picturesOfTask(queries: Queries, { tenantId, taskId }: OfTask): Promise<TaskPicture[]> {
  return queries.query(
    "SELECT path, key, etag, sha256 FROM task_pictures WHERE tenant_id = $1 AND task_id = $2",
    [tenantId, taskId],
  );
}

/** Deletes some of an ended task's pictures, at most `most`, and releases what they stand for. Returns their number. */
export async function deleteTaskPictures(
  transaction: Queries,
  { tenantId, taskId }: OfTask,
  most: number,
): Promise<number> {
  const rows = await transaction.query<{ key: string }>(
    `DELETE FROM task_pictures WHERE tenant_id = $1 AND ctid = ANY (ARRAY (
       SELECT ctid FROM task_pictures WHERE tenant_id = $1 AND task_id = $2 LIMIT ${most}))
     RETURNING key`,
    [tenantId, taskId],
  );
  const keys = rows.map(({ key }) => key);
  if (keys.length > 0) await insertReleasedImages(transaction, { tenantId, taskId }, keys);
  return keys.length;
}

/** Hours after which a picture that no task has named is released. */
export const untakenHours = 24;

const isUntaken = `NOT taken AND requested_at < now() - interval '${untakenHours} hours'`;

/** Releases pictures that no task has named in time, at most `most`. Returns their number. */
export async function releaseUntaken(queries: Queries, most: number): Promise<number> {
  const untaken = await queries.query<{ tenantId: string; keys: string[] }>(
    `SELECT tenant_id AS "tenantId", array_agg(key) AS keys FROM (
       SELECT tenant_id, key FROM pictures WHERE ${isUntaken} LIMIT ${most}) p GROUP BY tenant_id`,
  );
  let released = 0;
  for (const { tenantId, keys } of untaken)
    released += await queries.execute(
      `WITH untaken AS (
         UPDATE pictures SET taken = true WHERE tenant_id = $1 AND key = ANY ($2::text[]) AND ${isUntaken}
         RETURNING tenant_id, key)
       INSERT INTO fetched_images AS f (tenant_id, key, task_id, released)
       SELECT u.tenant_id, u.key, '', true FROM untaken u ORDER BY u.key
       ON CONFLICT (tenant_id, key) DO UPDATE SET released = true`,
      [tenantId, keys],
    );
  return released;
}

export async function deletePictures(
  transaction: Queries,
  tenantId: string,
  keys: readonly string[],
): Promise<void> {
  await transaction.execute("DELETE FROM pictures WHERE tenant_id = $1 AND key = ANY($2::text[])", [
    ...[tenantId, keys],
  ]);
}
