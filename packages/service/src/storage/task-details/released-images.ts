import type { Queries } from "../database.ts";
import { hasEnded, type SweptImage } from "./fetched-images.ts";

/**
 * Notes images whose rows a task has removed, and that nothing it has left can bring back. One that is noted already is
 * this task's from now on: a sweep that has looked for it has to look again. It stays that of a task which has not
 * ended, and has fetched it: none sweeps it meanwhile.
 */
export async function insertReleasedImages(
  queries: Queries,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  keys: readonly string[],
): Promise<void> {
  await queries.execute(
    `INSERT INTO fetched_images AS f (tenant_id, key, task_id, released)
     SELECT $1, key, $2, true FROM (SELECT DISTINCT unnest($3::text[]) AS key ORDER BY 1) k
     ON CONFLICT (tenant_id, key) DO UPDATE SET released = true,
       task_id = CASE WHEN ${hasEnded} THEN excluded.task_id ELSE f.task_id END`,
    [tenantId, taskId, keys],
  );
}

/** The tenants with released images of tasks that have ended. */
export async function tenantsWithReleasedImages(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ tenantId: string }>(
    `SELECT DISTINCT f.tenant_id AS "tenantId" FROM fetched_images f WHERE f.released AND ${hasEnded}`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/**
 * Keeps released images that a transaction names again: forgets their notes, so that no sweep deletes them. One that is
 * being deleted is a conflict (40001) once it is gone.
 */
export async function keepReleasedImages(
  transaction: Queries,
  tenantId: string,
  keys: readonly string[],
): Promise<void> {
  await transaction.execute(
    "DELETE FROM fetched_images WHERE tenant_id = $1 AND key = ANY($2) AND released",
    [tenantId, keys],
  );
}

/** Released images that are looked for in the rows of their tenant at once: about 2 MiB of keys. */
const imagesPerScan = 20_000;

/** An image whose row an undo has removed, and the task that noted it. */
export interface ReleasedImage extends SweptImage {
  readonly taskId: string;
}

/** Released images of a tenant, at most `imagesPerScan`, of tasks that have ended. */
export async function releasedImages(queries: Queries, tenantId: string): Promise<ReleasedImage[]> {
  return queries.query(
    `SELECT f.tenant_id AS "tenantId", f.key, f.task_id AS "taskId" FROM fetched_images f
     WHERE f.tenant_id = $1 AND f.released AND ${hasEnded} ORDER BY f.key LIMIT ${imagesPerScan}`,
    [tenantId],
  );
}

/** Locks those of a tenant's released images that are as they were read, until the transaction ends. */
export async function lockReleased(
  transaction: Queries,
  tenantId: string,
  images: readonly ReleasedImage[],
): Promise<ReleasedImage[]> {
  return transaction.query(
    `SELECT f.tenant_id AS "tenantId", f.key, f.task_id AS "taskId"
     FROM fetched_images f JOIN unnest($2::text[], $3::text[]) AS r(key, task_id) USING (key, task_id)
     WHERE f.tenant_id = $1 AND f.released ORDER BY f.key FOR UPDATE OF f`,
    [tenantId, images.map(({ key }) => key), images.map(({ taskId }) => taskId)],
  );
}
