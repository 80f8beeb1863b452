import { TenantGone } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { unregisteredImages } from "../storage/queries/images.ts";
import { retriedTransaction } from "../storage/retried-transaction.ts";
import { isOpen } from "../storage/tenants/find.ts";
import type { ObjectStore } from "../uploads/object-store.ts";

/** Images that are looked at in one transaction, which must not sit idle for long while their files are deleted. */
const imagesAtOnce = 100;

/**
 * Notes that a task is about to store an image that it has fetched. One that another task of the tenant noted is this
 * one's from now on; while that one is just being swept, this waits until it is gone. Throws `TenantGone`.
 */
export async function noteFetched(
  queries: Queries,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  key: string,
): Promise<void> {
  const noted = await queries.execute(
    `INSERT INTO fetched_images (tenant_id, key, task_id)
     SELECT t.id, $2, $3 FROM tenants t WHERE t.id = $1 AND ${isOpen}
     ON CONFLICT (tenant_id, key) DO UPDATE SET task_id = excluded.task_id`,
    [tenantId, key, taskId],
  );
  if (noted === 0) throw new TenantGone();
}

/** Whose images are swept: those of tasks that have ended, and of `taskId`, which is about to; of all tenants, or one. */
export interface Swept {
  readonly tenantId?: string;
  readonly taskId?: string;
}

const noted = `
  SELECT f.tenant_id AS "tenantId", f.key FROM fetched_images f
  WHERE ($1::text IS NULL OR f.tenant_id = $1) AND (f.task_id = $2 OR NOT EXISTS (
    SELECT FROM bulk_tasks t WHERE t.tenant_id = f.tenant_id AND t.id = f.task_id AND t.ended_at IS NULL))
  ORDER BY f.tenant_id, f.key LIMIT ${imagesAtOnce} FOR UPDATE OF f`;

/**
 * Deletes images that tasks stored in vain, because what asked for them failed or was never executed, and forgets what
 * they noted. Can be broken off anywhere and done again. Errors are those of the database and the object store.
 */
export async function sweepFetched(
  { database, store }: { database: Database; store: ObjectStore },
  { tenantId, taskId }: Swept = {},
): Promise<void> {
  for (let found = imagesAtOnce; found === imagesAtOnce; )
    found = await retriedTransaction(database, async (transaction) => {
      const rows = await transaction.query<{ tenantId: string; key: string }>(noted, [
        tenantId ?? null,
        taskId ?? null,
      ]);
      for (const [tenant, some] of Map.groupBy(rows, (row) => row.tenantId)) {
        const keys = some.map(({ key }) => key);
        const inVain = await unregisteredImages(transaction, tenant, keys);
        await Promise.all(inVain.map((key) => store.delete(key)));
        await transaction.execute("DELETE FROM fetched_images WHERE tenant_id = $1 AND key = ANY($2)", [
          tenant,
          keys,
        ]);
      }
      return rows.length;
    });
}
