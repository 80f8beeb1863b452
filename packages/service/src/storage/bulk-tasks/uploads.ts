import type { Queries } from "../database.ts";
import { heldTenant } from "../tenants/find.ts";

/** The upload of a mass operation file that no task has named. */
export interface Upload {
  readonly tenantId: string;
  readonly key: string;
}

export interface NewUpload extends Upload {
  /** Lifetime of its form. */
  readonly lifetimeSeconds: number;
}

/** Records that a client may upload a file. False when the tenant was deleted. */
export async function insertUpload(
  queries: Queries,
  { tenantId, key, lifetimeSeconds }: NewUpload,
): Promise<boolean> {
  const inserted = await queries.execute(
    `INSERT INTO uploads (tenant_id, key, form_expires_at)
     ${heldTenant("t.id, $2, now() + make_interval(secs => $3)")}`,
    [tenantId, key, lifetimeSeconds],
  );
  return inserted > 0;
}

/**
 * Deletes the record of an upload that a new task names, unless the sweep is removing the file. A sweep that has begun
 * since the transaction's snapshot is a conflict (40001). Returns undefined if there is no record: another task has
 * named the upload, the sweep has removed it, or an earlier version presigned it.
 */
export async function takeUpload(
  transaction: Queries,
  { tenantId, key }: Upload,
): Promise<{ readonly removing: boolean } | undefined> {
  const [upload] = await transaction.query<{ removing: boolean }>(
    `WITH taken AS (DELETE FROM uploads WHERE tenant_id = $1 AND key = $2 AND NOT removing)
     SELECT removing FROM uploads WHERE tenant_id = $1 AND key = $2`,
    [tenantId, key],
  );
  return upload;
}

/** Hours after the expiry of its form until the file of an upload that no task has named is removed. */
export const unnamedHours = 24;

/**
 * Marks uploads that no task has named in time, at most `most`: from then on none can. Returns them, and again until
 * their records are deleted, the others first.
 */
export async function markUnnamed(queries: Queries, most: number): Promise<Upload[]> {
  const unnamed = await queries.query<Upload>(
    `SELECT tenant_id AS "tenantId", key FROM uploads
     WHERE form_expires_at < now() - interval '${unnamedHours} hours'
     ORDER BY removing, form_expires_at LIMIT ${most}`,
  );
  const marked = [];
  for (const [tenantId, keys] of keysByTenant(unnamed))
    marked.push(
      ...(await queries.query<Upload>(
        `UPDATE uploads SET removing = true WHERE tenant_id = $1 AND key = ANY ($2::text[])
         RETURNING tenant_id AS "tenantId", key`,
        [tenantId, keys],
      )),
    );
  return marked;
}

export async function deleteUploads(queries: Queries, uploads: readonly Upload[]): Promise<void> {
  for (const [tenantId, keys] of keysByTenant(uploads))
    await queries.execute("DELETE FROM uploads WHERE tenant_id = $1 AND key = ANY ($2::text[])", [
      tenantId,
      keys,
    ]);
}

function* keysByTenant(uploads: readonly Upload[]): Generator<[tenantId: string, keys: string[]]> {
  for (const [tenantId, ofTenant] of Map.groupBy(uploads, (upload) => upload.tenantId))
    yield [tenantId, ofTenant.map(({ key }) => key)];
}
