import type { Queries } from "../database.ts";

export interface TaskFile {
  readonly tenantId: string;
  readonly id: string;
  readonly key: string;
  readonly etag: string;
}

/** Maximum number of tasks read together. */
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
export async function pinTaskFiles(queries: Queries, files: readonly TaskFile[]): Promise<void> {
  const column = (name: keyof TaskFile) => files.map((file) => file[name]);
  await queries.execute(
    `UPDATE bulk_tasks t SET etag = f.etag
     FROM unnest($1::text[], $2::text[], $3::text[]) AS f (tenant_id, id, etag)
     WHERE t.tenant_id = f.tenant_id AND t.id = f.id`,
    [column("tenantId"), column("id"), column("etag")],
  );
}
