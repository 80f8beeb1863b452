import type { Queries } from "../database.ts";
import { hasEnded } from "./fetched-images.ts";

/**
 * Records images whose rows a task removed and that nothing left of it can restore. An existing record becomes this
 * task's: a sweep that looked for it must look again. It remains that of an unfinished task that fetched it: no sweep
 * takes it meanwhile.
 */
export async function insertReleasedImages(
  queries: Queries,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  keys: readonly string[],
): Promise<void> {
  await queries.execute(
    `INSERT INTO fetched_images (tenant_id, key, task_id, released)
     SELECT $1, k.key, coalesce(fetched.task_id, $2), true
     FROM (SELECT DISTINCT unnest($3::text[]) AS key) k
     LEFT JOIN (SELECT f.key, f.task_id FROM fetched_images f
       JOIN bulk_tasks o ON o.tenant_id = $1 AND o.id = f.task_id AND o.ended_at IS NULL
       WHERE f.tenant_id = $1 AND f.key = ANY ($3::text[])) fetched ON fetched.key = k.key
     ORDER BY k.key
     ON CONFLICT (tenant_id, key) DO UPDATE SET released = true, task_id = excluded.task_id`,
    [tenantId, taskId, keys],
  );
}

/** The tenants with released images of ended tasks. */
export async function tenantsWithReleasedImages(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ tenantId: string }>(
    `SELECT DISTINCT f.tenant_id AS "tenantId" FROM fetched_images f WHERE f.released AND ${hasEnded}`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/**
 * Keeps released images that a transaction names again: deletes their records, so that no sweep deletes them. One being
 * deleted is a conflict (40001) once it is gone.
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

/** Released images looked for together in their tenant's rows: about 2 MiB of keys. */
const imagesPerScan = 20_000;

/** An image whose row an undo removed, and the task that recorded it. */
export interface ReleasedImage {
  readonly tenantId: string;
  readonly key: string;
  readonly taskId: string;
}

/** A tenant's released images of ended tasks, at most `imagesPerScan`. */
export async function releasedImages(queries: Queries, tenantId: string): Promise<ReleasedImage[]> {
  return queries.query(
    `SELECT f.tenant_id AS "tenantId", f.key, f.task_id AS "taskId" FROM fetched_images f
     WHERE f.tenant_id = $1 AND f.released AND ${hasEnded} ORDER BY f.key LIMIT ${imagesPerScan}`,
    [tenantId],
  );
}

/** Locks those of a tenant's released images that are unchanged since they were read, until the transaction ends. */
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
