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

const lock = `
  SELECT f.tenant_id AS "tenantId", f.key FROM fetched_images f
  WHERE ($1::text IS NULL OR f.tenant_id = $1) AND (f.task_id = $2 OR NOT EXISTS (
    SELECT FROM bulk_tasks t WHERE t.tenant_id = f.tenant_id AND t.id = f.task_id AND t.ended_at IS NULL))
  ORDER BY f.tenant_id, f.key LIMIT ${imagesPerSweep} FOR UPDATE OF f`;

/** Locks at most `imagesPerSweep` images to sweep until the transaction ends. */
export async function lockSwept(
  transaction: Queries,
  { tenantId, taskId }: Swept,
): Promise<{ tenantId: string; key: string }[]> {
  return transaction.query(lock, [tenantId ?? null, taskId ?? null]);
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
