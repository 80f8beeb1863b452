import type { Queries } from "../database.ts";

/** A file, and the ETag of the version that is read. */
export interface PinnedFile {
  readonly tenantId: string;
  readonly key: string;
  readonly etag: string;
}

interface TaskFile extends PinnedFile {
  readonly id: string;
}

/** Maximum number of tasks, or of their pictures, read together. */
const portion = 1_000;

/** Reads the files of all tasks, or of one tenant's, in batches. */
export async function* taskFiles(queries: Queries, tenantId: string | undefined): AsyncGenerator<TaskFile[]> {
  for (let last = { tenantId: "", id: "" }; ; ) {
    const files = await queries.query<TaskFile>(
      `SELECT tenant_id AS "tenantId", id, key, etag FROM bulk_tasks
       WHERE (tenant_id, id) > ($1, $2) AND ($3::text IS NULL OR tenant_id = $3)
       ORDER BY tenant_id, id LIMIT ${portion}`,
      [last.tenantId, last.id, tenantId ?? null],
    );
    if (files.length > 0) yield files;
    if (files.length < portion) return;
    last = files.at(-1)!;
  }
}

/** Pins tasks to other versions of their files: the same bytes, in another store. */
export async function pinTaskFiles(
  queries: Queries,
  files: readonly (TaskFile & { copy: string })[],
): Promise<void> {
  const column = (name: "tenantId" | "id" | "copy") => files.map((file) => file[name]);
  await queries.execute(
    `UPDATE bulk_tasks t SET etag = f.etag
     FROM unnest($1::text[], $2::text[], $3::text[]) AS f (tenant_id, id, etag)
     WHERE t.tenant_id = f.tenant_id AND t.id = f.id`,
    [column("tenantId"), column("id"), column("copy")],
  );
}

/** Reads the pictures of all tasks, or of one tenant's, in batches, each version once. */
export async function* taskPictures(
  queries: Queries,
  tenantId: string | undefined,
): AsyncGenerator<PinnedFile[]> {
  for (let last = { tenantId: "", key: "", etag: "" }; ; ) {
    const files = await queries.query<PinnedFile>(
      `SELECT DISTINCT tenant_id AS "tenantId", key, etag FROM task_pictures
       WHERE (tenant_id, key, etag) > ($1, $2, $3) AND ($4::text IS NULL OR tenant_id = $4)
       ORDER BY tenant_id, key, etag LIMIT ${portion}`,
      [last.tenantId, last.key, last.etag, tenantId ?? null],
    );
    if (files.length > 0) yield files;
    if (files.length < portion) return;
    last = files.at(-1)!;
  }
}

/** Pins the pictures of tasks to other versions, as `pinTaskFiles` does their files. */
export async function pinTaskPictures(
  queries: Queries,
  files: readonly (PinnedFile & { copy: string })[],
): Promise<void> {
  const column = (name: "tenantId" | "key" | "etag" | "copy") => files.map((file) => file[name]);
  await queries.execute(
    `UPDATE task_pictures t SET etag = f.copy
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS f (tenant_id, key, etag, copy)
     WHERE t.tenant_id = f.tenant_id AND t.key = f.key AND t.etag = f.etag`,
    [column("tenantId"), column("key"), column("etag"), column("copy")],
  );
}
