import type { BulkTaskKind } from "@lading/schema/internal";
import type { Database } from "../database.ts";
import { retriedTransaction } from "../retry.ts";
import type { LogKey } from "../task-details/operation-logs.ts";
import { deleteTaskPictures } from "../task-details/pictures.ts";
import { insertReleasedImages } from "../task-details/released-images.ts";

/** Rows deleted per statement: few, so that it is short and blocks nothing for long. */
const rowsPerPrune = 5_000;

/** The limit for log blocks, each of which has many TOAST rows. */
const blocksPerPrune = 1_000;

/** The part of a task's details that one statement removed. */
interface PrunedPortion {
  /** Log entries. */
  readonly entries: number;
  /** True when none of the kind are left. */
  readonly isLast: boolean;
}

/** Deletes a batch of a task's rows from a table; `entries` is an SQL expression for a row's number of log entries. */
function pruneTable(table: string, most = rowsPerPrune, entries = "0") {
  const sql = `
    WITH gone AS (
      DELETE FROM ${table} WHERE tenant_id = $1 AND ctid = ANY (ARRAY (
        SELECT ctid FROM ${table} WHERE tenant_id = $1 AND task_id = $2 LIMIT ${most}))
      RETURNING ${entries} AS entries
    ) SELECT coalesce(sum(entries), 0)::int AS entries, count(*) < ${most} AS "isLast" FROM gone`;
  return async (
    database: Database,
    { tenantId, id }: Pick<EndedTask, "tenantId" | "id">,
  ): Promise<PrunedPortion> => {
    const [portion] = await database.query<PrunedPortion>(sql, [tenantId, id]);
    return portion ?? { entries: 0, isLast: true };
  };
}

/**
 * Deletes a batch of a task's before-images, the largest rows of a log. Records images that only they could restore as
 * released, for the sweep.
 */
export async function pruneBeforeImages(
  database: Database,
  { tenantId, id }: Pick<EndedTask, "tenantId" | "id">,
): Promise<PrunedPortion> {
  return retriedTransaction(database, async (transaction) => {
    const rows = await transaction.query<{ keys: string[] | null }>(
      `DELETE FROM operation_before_images WHERE tenant_id = $1 AND ctid = ANY (ARRAY (
         SELECT ctid FROM operation_before_images WHERE tenant_id = $1 AND task_id = $2 LIMIT ${blocksPerPrune}))
       RETURNING image_keys AS keys`,
      [tenantId, id],
    );
    const keys = rows.flatMap(({ keys }) => keys ?? []);
    if (keys.length > 0) await insertReleasedImages(transaction, { tenantId, taskId: id }, keys);
    return { entries: 0, isLast: rows.length < blocksPerPrune };
  });
}

/** Deletes a batch of what the paths in a task's file stand for. */
async function pruneTaskPictures(
  database: Database,
  { tenantId, id: taskId }: Pick<EndedTask, "tenantId" | "id">,
): Promise<PrunedPortion> {
  const deleted = await retriedTransaction(database, (transaction) =>
    deleteTaskPictures(transaction, { tenantId, taskId }, rowsPerPrune),
  );
  return { entries: 0, isLast: deleted < rowsPerPrune };
}

/** The steps of `prunes` for the log. */
const logPrunes = [
  pruneBeforeImages,
  pruneTable("operation_log_failures"),
  pruneTable("operation_log_blocks", blocksPerPrune, "(SELECT sum(c) FROM unnest(counts) c)"),
];

/** Removes the log of a task that starts over, in small statements; yields after each. */
export async function* removeLog(database: Database, task: LogKey): AsyncGenerator<void> {
  const ended = { tenantId: task.tenantId, id: task.taskId };
  for (const prune of logPrunes)
    for (let isLast = false; !isLast; ) {
      ({ isLast } = await prune(database, ended));
      yield;
    }
}

/** Each step deletes a batch of one kind of details. Call them in this order, each until `isLast`. */
export const prunes: readonly ((database: Database, task: EndedTask) => Promise<PrunedPortion>)[] = [
  ...logPrunes,
  pruneTaskPictures,
  pruneTable("bulk_task_references"),
  pruneTable("bulk_task_issues"),
];

/** An ended task that still has its details. */
export interface EndedTask {
  tenantId: string;
  id: string;
  key: string;
}

/**
 * True when no retry, undo or run needs the task's details any more; an SQL condition. It requires ended tasks, rather
 * than the absence of open ones: those may be invisible to a statement that waited for their creation.
 */
const isNeededNoMore = (task: string) =>
  ["last_retry", "last_undo", "last_run"]
    .map(
      (last) => `(${task}.${last} IS NULL OR EXISTS (
  SELECT FROM bulk_tasks r WHERE r.tenant_id = ${task}.tenant_id AND r.id = ${task}.${last} AND r.ended_at IS NOT NULL))`,
    )
    .join(" AND ");

interface Prunable {
  readonly before: string;
  readonly unapprovedBefore: string;
  readonly tenantId?: string | undefined;
  readonly kind?: BulkTaskKind | undefined;
}

/**
 * Takes the task that ended first among those that ended before a time, are not pruned, and are not needed by a retry,
 * undo or run; of all tenants or kinds if these are null. A planner's plan that a run could still follow must
 * have ended before `unapprovedBefore`. From then on it cannot be retried, undone or followed.
 * Returns the same task again until it is marked as pruned.
 */
export async function takePrunable(
  database: Database,
  { before, unapprovedBefore, tenantId, kind }: Prunable,
): Promise<EndedTask | undefined> {
  const [task] = await database.query<EndedTask>(
    `UPDATE bulk_tasks t SET pruning = true FROM (
       SELECT p.tenant_id, p.id FROM bulk_tasks p
       WHERE p.ended_at IS NOT NULL AND p.pruned_at IS NULL AND p.ended_at < $1
         AND (p.planner_id IS NULL OR p.last_run IS NOT NULL OR p.status <> 'complete' OR p.ended_at < $4)
         AND ($2::text IS NULL OR p.tenant_id = $2) AND ($3::text IS NULL OR p.kind = $3) AND ${isNeededNoMore("p")}
       ORDER BY p.ended_at LIMIT 1) p
     WHERE t.tenant_id = p.tenant_id AND t.id = p.id AND ${isNeededNoMore("t")}
     RETURNING t.tenant_id AS "tenantId", t.id, t.key`,
    [before, tenantId ?? null, kind ?? null, unapprovedBefore],
  );
  return task;
}

/** True while another unpruned task has the same file, which is removed with the last of them. */
export async function isFileShared(database: Database, { tenantId, id, key }: EndedTask): Promise<boolean> {
  const rows = await database.query(
    "SELECT FROM bulk_tasks WHERE tenant_id = $1 AND key = $2 AND id <> $3 AND pruned_at IS NULL LIMIT 1",
    [tenantId, key, id],
  );
  return rows.length > 0;
}

export async function markPruned(database: Database, { tenantId, id }: EndedTask): Promise<void> {
  await database.execute(
    `UPDATE bulk_tasks SET pruned_at = now(), keeps_before = false, reference_names = NULL, stretch_hashes = NULL
     WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id],
  );
}

/**
 * Takes a task whose before-images are past their tenant's retention period and needed by no undo. The current
 * retention period applies, also to earlier tasks. From then on it cannot be undone. Returns the same task again until
 * it is marked.
 */
export async function takeBeforePrunable(database: Database): Promise<EndedTask | undefined> {
  const [task] = await database.query<EndedTask>(
    `UPDATE bulk_tasks t SET pruning_before = true FROM (
       SELECT p.tenant_id, p.id FROM bulk_tasks p JOIN tenants o ON o.id = p.tenant_id
       WHERE p.keeps_before AND p.ended_at < now() - (o.limits->>'keepBeforeDays')::int * interval '1 day'
         AND ${isNeededNoMore("p")}
       LIMIT 1) p
     WHERE t.tenant_id = p.tenant_id AND t.id = p.id AND ${isNeededNoMore("t")}
     RETURNING t.tenant_id AS "tenantId", t.id, t.key`,
  );
  return task;
}

export async function markBeforePruned(database: Database, { tenantId, id }: EndedTask): Promise<void> {
  const mark = "UPDATE bulk_tasks SET keeps_before = false WHERE tenant_id = $1 AND id = $2";
  await database.execute(mark, [tenantId, id]);
}
