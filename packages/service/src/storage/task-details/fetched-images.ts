import { allCollections } from "../collections/all.ts";
import type { Queries } from "../database.ts";
import { heldTenant } from "../tenants/find.ts";

/** Images that one transaction sweeps: it must not sit idle for long while their files are deleted. */
export const imagesPerSweep = 100;

/**
 * Notes that a task is about to store an image, and takes over the note of another task of the tenant; waits while that
 * one is being swept. False when the tenant was deleted.
 */
export async function insertFetchedImage(
  queries: Queries,
  { tenantId, taskId, key }: { tenantId: string; taskId: string; key: string },
): Promise<boolean> {
  const noted = await queries.execute(
    `INSERT INTO fetched_images (tenant_id, key, task_id)
     ${heldTenant("t.id, $2, $3")}
     ON CONFLICT (tenant_id, key) DO UPDATE SET task_id = excluded.task_id, released = false`,
    [tenantId, key, taskId],
  );
  return noted > 0;
}

/**
 * Notes images whose rows a task has removed, and that nothing it has left can bring back, unless they are noted as
 * fetched. One that is released already is this task's from now on: a sweep that has looked for it has to look again.
 */
export async function insertReleasedImages(
  queries: Queries,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  keys: readonly string[],
): Promise<void> {
  await queries.execute(
    `INSERT INTO fetched_images (tenant_id, key, task_id, released)
     SELECT $1, key, $2, true FROM (SELECT DISTINCT unnest($3::text[]) AS key ORDER BY 1) k
     ON CONFLICT (tenant_id, key) DO UPDATE SET task_id = excluded.task_id WHERE fetched_images.released`,
    [tenantId, taskId, keys],
  );
}

/** The images to sweep: of tasks that have ended, and of `taskId`, which is about to; of one tenant, or all. */
export interface Swept {
  readonly tenantId?: string;
  readonly taskId?: string;
}

const hasEnded = `NOT EXISTS (
  SELECT FROM bulk_tasks t WHERE t.tenant_id = f.tenant_id AND t.id = f.task_id AND t.ended_at IS NULL)`;

/** An image that is noted. */
export interface SweptImage {
  readonly tenantId: string;
  readonly key: string;
}

/** Locks at most `imagesPerSweep` images that tasks have stored, to sweep them until the transaction ends. */
export async function lockSwept(transaction: Queries, { tenantId, taskId }: Swept): Promise<SweptImage[]> {
  return transaction.query(
    `SELECT f.tenant_id AS "tenantId", f.key FROM fetched_images f
     WHERE ($1::text IS NULL OR f.tenant_id = $1) AND NOT f.released AND (f.task_id = $2 OR ${hasEnded})
     ORDER BY f.tenant_id, f.key LIMIT ${imagesPerSweep} FOR UPDATE OF f`,
    [tenantId ?? null, taskId ?? null],
  );
}

/** Released images that are looked for in the rows of their tenant at once: about 10 MiB of keys. */
const imagesPerScan = 100_000;

/** An image whose row an undo has removed, and the task that noted it. */
export interface ReleasedImage extends SweptImage {
  readonly taskId: string;
}

/** The released images of one tenant, given or the first that has any, of tasks that have ended. */
export async function releasedImages(queries: Queries, tenantId?: string): Promise<ReleasedImage[]> {
  return queries.query(
    `SELECT f.tenant_id AS "tenantId", f.key, f.task_id AS "taskId" FROM fetched_images f
     WHERE f.released AND ${hasEnded} AND f.tenant_id = coalesce($1, (
       SELECT f.tenant_id FROM fetched_images f WHERE f.released AND ${hasEnded} ORDER BY 1 LIMIT 1))
     ORDER BY f.key LIMIT ${imagesPerScan}`,
    [tenantId ?? null],
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

/** Returns the keys of images that have no row, and of which no before-image of the tenant has one. */
export async function imagesInVain(
  queries: Queries,
  tenantId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.query<{ key: string }>(
    `SELECT k.key FROM unnest($2::text[]) k (key)
     WHERE NOT EXISTS (SELECT FROM images i WHERE i.tenant_id = $1 AND i.key = k.key)
       AND NOT EXISTS (SELECT FROM operation_before_images b WHERE b.tenant_id = $1 AND b.image_keys @> ARRAY[k.key])`,
    [tenantId, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/**
 * Returns those of the keys that rows of the tenant name, such as content that used an image after the task that
 * registered it. Reads all its rows, once for any number of keys; `pattern` is the regular expression of a key.
 */
export async function imagesInUse(
  queries: Queries,
  tenantId: string,
  { keys, pattern }: { keys: readonly string[]; pattern: string },
): Promise<Set<string>> {
  const used = new Set<string>();
  for (const { table, isRecord } of allCollections) {
    if (isRecord) continue;
    const rows = await queries.query<{ key: string }>(
      `SELECT DISTINCT m[1] AS key FROM ${table} t CROSS JOIN LATERAL regexp_matches(t::text, $2, 'g') m
       WHERE t.tenant_id = $1 AND m[1] = ANY($3)`,
      [tenantId, `(${pattern})`, keys],
    );
    for (const { key } of rows) used.add(key);
  }
  return used;
}

/** Forgets images that were noted. */
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
