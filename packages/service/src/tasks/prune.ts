import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../uploads/object-store.ts";

/** Rows that one statement deletes: few, so that it is over soon and others are not held up. */
const rowsPerStatement = 1_000;

const dayMs = 24 * 60 * 60 * 1000;

/** Tables that hold what is removed of a task, with what tells their rows apart. */
const tables = {
  operation_logs: "index",
  bulk_task_references: "index",
  bulk_task_issues: "number",
} as const;

export interface Pruned {
  tasks: number;
  /** Entries of logs. */
  entries: number;
  /** Whether the time was over before all was removed. */
  hasMore: boolean;
}

export interface PruneOptions {
  olderThanDays: number;
  /** Default: all tenants. */
  tenantId?: string;
  /** Asked between two statements whether to leave the rest for another time. */
  over?: () => boolean;
}

/**
 * Removes the log, the issues and the file of tasks that ended so many days ago, in small statements; the tasks
 * themselves stay, with their figures. Can be broken off anywhere and done again.
 */
export async function pruneTasks(
  { database, store }: { database: Database; store: ObjectStore },
  { olderThanDays, tenantId, over = () => false }: PruneOptions,
): Promise<Pruned> {
  const before = new Date(Date.now() - olderThanDays * dayMs).toISOString();
  const pruned = { tasks: 0, entries: 0 };
  for (;;) {
    const task = await oldestEnded(database, before, tenantId ?? null);
    if (task === undefined) return { ...pruned, hasMore: false };
    for (const [table, column] of Object.entries(tables)) {
      for (let removed = rowsPerStatement; removed === rowsPerStatement; ) {
        if (over()) return { ...pruned, hasMore: true };
        removed = await removeRows(database, task, { table, column });
        if (table === "operation_logs") pruned.entries += removed;
      }
    }
    if (!(await isFileShared(database, task))) await store.delete(task.key);
    await database.execute(
      "UPDATE bulk_tasks SET pruned_at = now(), reference_names = NULL, stretch_hashes = NULL WHERE tenant_id = $1 AND id = $2",
      [task.tenantId, task.id],
    );
    pruned.tasks++;
  }
}

interface EndedTask {
  tenantId: string;
  id: string;
  key: string;
}

async function oldestEnded(database: Database, before: string, tenantId: string | null) {
  const [task] = await database.query<EndedTask>(
    `SELECT tenant_id AS "tenantId", id, key FROM bulk_tasks
     WHERE ended_at IS NOT NULL AND pruned_at IS NULL AND ended_at < $1 AND ($2::text IS NULL OR tenant_id = $2)
     ORDER BY ended_at LIMIT 1`,
    [before, tenantId],
  );
  return task;
}

function removeRows(
  database: Database,
  task: EndedTask,
  { table, column }: { table: string; column: string },
): Promise<number> {
  return database.execute(
    `DELETE FROM ${table} WHERE tenant_id = $1 AND task_id = $2 AND ${column} IN (
       SELECT ${column} FROM ${table} WHERE tenant_id = $1 AND task_id = $2 ORDER BY ${column} LIMIT ${rowsPerStatement})`,
    [task.tenantId, task.id],
  );
}

/** Several tasks may be of one file; it stays until the last of them is pruned. */
async function isFileShared(database: Database, { tenantId, id, key }: EndedTask): Promise<boolean> {
  const rows = await database.query(
    "SELECT FROM bulk_tasks WHERE tenant_id = $1 AND key = $2 AND id <> $3 AND pruned_at IS NULL LIMIT 1",
    [tenantId, key, id],
  );
  return rows.length > 0;
}
