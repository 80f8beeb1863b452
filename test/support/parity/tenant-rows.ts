import type { Database } from "../../../packages/service/src/storage/database.ts";

/** Tables that keep what tasks and requests have done, and the tenant itself with its limits. */
const records = /^(bulk_task|operation_|audit_trail|fetched_images|access_tokens|task_)/;

/**
 * Every row of a tenant as the database writes it, by table: all tables but those of tasks, their logs and the audit
 * trail. What is the same before and after has not been changed, to the byte.
 */
export async function tenantRows(database: Database, tenantId: string): Promise<Record<string, string[]>> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables)
    if (!records.test(name)) {
      const sql = `SELECT t::text AS row FROM ${name} t WHERE tenant_id = $1 ORDER BY 1`;
      rows[name] = (await database.query<{ row: string }>(sql, [tenantId])).map(({ row }) => row);
    }
  return rows;
}
