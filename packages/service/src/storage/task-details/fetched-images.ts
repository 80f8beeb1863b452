import type { Queries } from "../database.ts";
import { heldTenant } from "../tenants/find.ts";

/** Images swept per transaction: it must not sit idle for long while their files are deleted. */
export const imagesPerSweep = 100;

/** The condition that no row, before-image or task of the tenant `$1` uses the image with a key. */
const isUnused = (key: string) => `
  NOT EXISTS (SELECT FROM images i WHERE i.tenant_id = $1 AND i.key = ${key})
  AND NOT EXISTS (SELECT FROM operation_before_images b WHERE b.tenant_id = $1 AND b.image_keys @> ARRAY[${key}])
  AND NOT EXISTS (SELECT FROM task_pictures p WHERE p.tenant_id = $1 AND p.key = ${key})`;

const taskHasEnded = (tenantId: string, taskId: string) => `NOT EXISTS (
  SELECT FROM bulk_tasks o WHERE o.tenant_id = ${tenantId} AND o.id = ${taskId} AND o.ended_at IS NULL)`;

/** The condition that the task of a record `f` has ended. */
export const hasEnded = taskHasEnded("f.tenant_id", "f.task_id");

/** An image that a task is about to store. */
export interface FetchedImage {
  readonly tenantId: string;
  readonly taskId: string;
  readonly key: string;
  /** True when the store already had its file. */
  readonly wasStored: boolean;
}

/**
 * Records that a task is about to store an image, and takes over another task's record; waits while that one is being
 * swept. A file that was there before is recorded as released when no row or before-image has the image: content may
 * name it. So is one of a task that ended meanwhile, whose store look-up may be stale. An existing record keeps its
 * state. False when the tenant was deleted.
 */
export async function insertFetchedImage(
  queries: Queries,
  { tenantId, taskId, key, wasStored }: FetchedImage,
): Promise<boolean> {
  const released = `($4 OR ${taskHasEnded("$1", "$3")}) AND ${isUnused("$2::text")}`;
  const noted = await queries.execute(
    `INSERT INTO fetched_images (tenant_id, key, task_id, released)
     ${heldTenant(`t.id, $2, $3, ${released}`)}
     ON CONFLICT (tenant_id, key) DO UPDATE SET task_id = excluded.task_id`,
    [tenantId, key, taskId, wasStored],
  );
  return noted > 0;
}

/** The images to sweep: of ended tasks, and of `taskId`, which is about to end; of one tenant, or all. */
export interface Swept {
  readonly tenantId?: string;
  readonly taskId?: string;
}

/** The tenants with images to sweep of ended tasks. */
export async function tenantsToSweep(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ tenantId: string }>(
    `SELECT DISTINCT f.tenant_id AS "tenantId" FROM fetched_images f WHERE NOT f.released AND ${hasEnded}`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** Locks at most `imagesPerSweep` images stored by a tenant's tasks, to sweep them until the transaction ends. */
export async function lockSwept(transaction: Queries, tenantId: string, taskId?: string): Promise<string[]> {
  const rows = await transaction.query<{ key: string }>(
    `SELECT f.key FROM fetched_images f
     WHERE f.tenant_id = $1 AND NOT f.released AND (f.task_id = $2 OR ${taskHasEnded("$1", "f.task_id")})
     ORDER BY f.key LIMIT ${imagesPerSweep} FOR UPDATE OF f`,
    [tenantId, taskId ?? null],
  );
  return rows.map(({ key }) => key);
}

/** Returns the keys of images without a row, also among the tenant's before-images and the pictures of its tasks. */
export async function unusedImages(
  queries: Queries,
  tenantId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.query<{ key: string }>(
    `SELECT k.key FROM unnest($2::text[]) k (key) WHERE ${isUnused("k.key")}`,
    [tenantId, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

export async function deleteFetchedImages(
  transaction: Queries,
  tenantId: string,
  keys: readonly string[],
): Promise<void> {
  await transaction.execute("DELETE FROM fetched_images WHERE tenant_id = $1 AND key = ANY($2)", [
    tenantId,
    keys,
  ]);
}
