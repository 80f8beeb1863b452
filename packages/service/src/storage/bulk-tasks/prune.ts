import type { Database } from "../database.ts";
import { pruneOldLogs } from "../task-details/old-logs.ts";

/** Rows that one statement deletes: few, so that it ends soon and nothing waits for it long. */
const rowsPerPrune = 5_000;

/** The same of blocks of the log, each of which has many rows of the database's own for its entries. */
const blocksPerPrune = 1_000;

/** A part of a task's details that one statement removed. */
interface PrunedPortion {
  /** Entries of the log. */
  readonly entries: number;
  /** True when nothing of its kind is left. */
  readonly isLast: boolean;
}

/** Deletes a portion of the rows of a task from a table; `entries` is how many entries of the log a row has. */
function pruneTable(table: string, most = rowsPerPrune, entries = "0") {
  const sql = `
    WITH gone AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM ${table} WHERE tenant_id = $1 AND task_id = $2 LIMIT ${most}))
      RETURNING ${entries} AS entries
    ) SELECT coalesce(sum(entries), 0)::int AS entries, count(*) < ${most} AS "isLast" FROM gone`;
  return async (database: Database, { tenantId, id }: EndedTask): Promise<PrunedPortion> => {
    const [portion] = await database.query<PrunedPortion>(sql, [tenantId, id]);
    return portion ?? { entries: 0, isLast: true };
  };
}

/** Deletes a portion of the before-images of a task: they are the largest rows of a log. */
export const pruneBeforeImages = pruneTable("operation_before_images", blocksPerPrune);

/**
 * Each deletes a portion of one kind of the details of a task; to be called in this order, each until it says that it
 * was the last. Old entries come before blocks, into which they may be moved meanwhile.
 */
export const prunes: readonly ((database: Database, task: EndedTask) => Promise<PrunedPortion>)[] = [
  (database, { tenantId, id: taskId }) => pruneOldLogs(database, { tenantId, taskId }, rowsPerPrune),
  pruneBeforeImages,
  pruneTable("operation_log_failures"),
  pruneTable("operation_log_blocks", blocksPerPrune, "(SELECT sum(c) FROM unnest(counts) c)"),
  pruneTable("bulk_task_references"),
  pruneTable("bulk_task_issues"),
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
    `UPDATE bulk_tasks SET pruned_at = now(), keeps_before = false, reference_names = NULL, stretch_hashes = NULL
     WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id],
  );
}

/**
 * A task whose before-images are older than its tenant keeps them. The number of days is the tenant's at this time, so
 * that a shorter one holds for tasks that ended before.
 */
export async function findBeforePrunable(database: Database): Promise<EndedTask | undefined> {
  const [task] = await database.query<EndedTask>(
    `SELECT t.tenant_id AS "tenantId", t.id, t.key FROM bulk_tasks t JOIN tenants o ON o.id = t.tenant_id
     WHERE t.keeps_before AND t.ended_at < now() - (o.settings->>'keepBeforeDays')::int * interval '1 day' LIMIT 1`,
  );
  return task;
}

/** Marks a task whose before-images were removed. */
export async function markBeforePruned(database: Database, { tenantId, id }: EndedTask): Promise<void> {
  const mark = "UPDATE bulk_tasks SET keeps_before = false WHERE tenant_id = $1 AND id = $2";
  await database.execute(mark, [tenantId, id]);
}
