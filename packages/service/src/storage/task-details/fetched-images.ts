import type { Queries } from "../database.ts";
import { heldTenant } from "../tenants/find.ts";

/** Images that one transaction sweeps: it must not sit idle for long while their files are deleted. */
export const imagesPerSweep = 100;

/**
 * Notes that a task is about to store an image, and takes over the note of another task of the tenant; waits while that
 * one is being swept. What was released stays so: only the sweep of these looks for rows that name it. False when the
 * tenant was deleted.
 */
export async function insertFetchedImage(
  queries: Queries,
  { tenantId, taskId, key }: { tenantId: string; taskId: string; key: string },
): Promise<boolean> {
  const noted = await queries.execute(
    `INSERT INTO fetched_images (tenant_id, key, task_id)
     ${heldTenant("t.id, $2, $3")}
     ON CONFLICT (tenant_id, key) DO UPDATE SET task_id = excluded.task_id`,
    [tenantId, key, taskId],
  );
  return noted > 0;
}

/** The images to sweep: of tasks that have ended, and of `taskId`, which is about to; of one tenant, or all. */
export interface Swept {
  readonly tenantId?: string;
  readonly taskId?: string;
}

/** The condition that the task of a note `f` has ended. */
export const hasEnded = `NOT EXISTS (
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
