import type { Database } from "../database.ts";

/** Rows that one statement deletes: few, so that it ends soon and nothing waits for it long. */
export const rowsPerPrune = 1_000;

/** A table of details that pruning removes. */
export interface PrunedTable {
  readonly name: string;
  /** Identifies a row within its task. */
  readonly column: string;
}

export const prunedLogs: PrunedTable = { name: "operation_logs", column: "index" };

export const prunedTables: readonly PrunedTable[] = [
  prunedLogs,
  { name: "bulk_task_references", column: "index" },
  { name: "bulk_task_issues", column: "number" },
];

/** A task that ended and still has its details. */
export interface EndedTask {
  tenantId: string;
  id: string;
  key: string;
}

/** The task that ended first among those that ended before a time and are not pruned; null for all tenants. */
export async function findPrunable(
  database: Database,
  before: string,
  tenantId: string | null,
): Promise<EndedTask | undefined> {
  const [task] = await database.query<EndedTask>(
    `SELECT tenant_id AS "tenantId", id, key FROM bulk_tasks
     WHERE ended_at IS NOT NULL AND pruned_at IS NULL AND ended_at < $1 AND ($2::text IS NULL OR tenant_id = $2)
     ORDER BY ended_at LIMIT 1`,
    [before, tenantId],
  );
  return task;
}

/** Deletes at most `rowsPerPrune` rows of a task from a table, and returns how many it deleted. */
export function pruneRows(
  database: Database,
  { tenantId, id }: EndedTask,
  { name, column }: PrunedTable,
): Promise<number> {
  return database.execute(
    `DELETE FROM ${name} WHERE tenant_id = $1 AND task_id = $2 AND ${column} IN (
       SELECT ${column} FROM ${name} WHERE tenant_id = $1 AND task_id = $2 ORDER BY ${column} LIMIT ${rowsPerPrune})`,
    [tenantId, id],
  );
}

/** True while another task of the same file is not pruned: the file stays until the last of them is. */
export async function isFileShared(database: Database, { tenantId, id, key }: EndedTask): Promise<boolean> {
  const rows = await database.query(
    "SELECT FROM bulk_tasks WHERE tenant_id = $1 AND key = $2 AND id <> $3 AND pruned_at IS NULL LIMIT 1",
    [tenantId, key, id],
  );
  return rows.length > 0;
}

/** Marks a task whose details were removed. */
export async function markPruned(database: Database, { tenantId, id }: EndedTask): Promise<void> {
  await database.execute(
    `UPDATE bulk_tasks SET pruned_at = now(), reference_names = NULL, stretch_hashes = NULL
     WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id],
  );
}
