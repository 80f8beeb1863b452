import type { BulkTaskKind, BulkTaskStatus } from "@lading/schema/internal";
import type { Queries } from "../../database.ts";
import type { LogRange } from "../../task-details/operation-logs.ts";
import { heldTenant } from "../../tenants/find.ts";
import { columnName } from "../../unit-of-work/collection.ts";
import type { NewRetryRow } from "../create.ts";
import { lastRetry, newestUndo } from "../retries/retry-chain.ts";

/** Maximum length of a chain of undos; docs/limits.md lists it. */
export const undosInRow = 100;

/** A task to undo, with the facts that decide whether it can be undone. */
export interface TaskToUndo {
  readonly kind: BulkTaskKind;
  readonly status: BulkTaskStatus;
  /** Executed operations. */
  readonly executed: number;
  /** True while all of its before-images are kept. */
  readonly keepsBefore: boolean;
  /** True once part of its log was removed. */
  readonly isPruned: boolean;
  /** The newest migration when its execution started. */
  readonly schema: string | null;
  /** Its last retry, if unfinished. */
  readonly openRetry: string | null;
  /** Its undo that is unfinished or in effect; `isWhole`: all of the task is undone. */
  readonly undo: { readonly id: string; readonly isOpen: boolean; readonly isWhole: boolean } | null;
  /** An unfinished undo of one of its undos, or of an undo of those, and so on. */
  readonly openRedo: string | null;
  /** For an undo: the last undo of the same task that relies on it and is unfinished or in effect. */
  readonly laterUndo: string | null;
  /** For a retry, or undos of one: the last retry in effect, or open, that has continued it. */
  readonly laterRetry: string | null;
  /** For an undo: the length of the chain of undos that ends with it; otherwise 0. */
  readonly undosInRow: number;
}

/** The task `t` of the tenant `$1` as `links` 0; for an undo, the undone task, and so on. A recursive query. */
const undoChain = `
  WITH RECURSIVE chain (id, kind, of_task, links) AS (
    SELECT t.id, t.kind, t.of_task, 0
    UNION ALL
    SELECT p.id, p.kind, p.of_task, c.links + 1
    FROM chain c JOIN bulk_tasks p ON p.tenant_id = $1 AND p.id = c.of_task
    WHERE c.kind = 'undo' AND c.links < ${undosInRow}
  )`;

const find = `
  SELECT t.kind, t.status, t.cursor_index AS executed, t.keeps_before AND NOT t.pruning_before AS "keepsBefore",
    t.pruning OR t.pruned_at IS NOT NULL AS "isPruned", t.schema_name AS schema,
    (SELECT json_build_object('id', u.id, 'isOpen', u.ended_at IS NULL, 'isWhole', t.undone = 'whole')
     FROM bulk_tasks u WHERE u.tenant_id = $1 AND u.id = t.undone_by) AS undo,
    (SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = $1 AND r.id = t.last_retry AND r.ended_at IS NULL)
      AS "openRetry",
    ${newestUndo("t", "ended_at IS NULL AND of_task <> t.id")} AS "openRedo",
    (SELECT max(u.id) FROM bulk_tasks u
     WHERE t.kind = 'undo' AND u.tenant_id = $1 AND u.of_task = t.of_task AND u.kind = 'undo' AND u.id > t.id
       AND (u.ended_at IS NULL OR u.succeeded + u.partial > 0) AND u.undone <> 'whole') AS "laterUndo",
    (SELECT ${lastRetry("o", "ended_at IS NULL OR (cursor_index > 0 AND undone = 'none')")} FROM bulk_tasks o
     WHERE o.tenant_id = $1 AND o.id = undos.of AND o.kind = 'retry') AS "laterRetry",
    undos.links AS "undosInRow"
  FROM bulk_tasks t CROSS JOIN LATERAL (
    ${undoChain} SELECT max(links) AS links, max(id) FILTER (WHERE kind <> 'undo') AS of FROM chain) undos
  WHERE t.tenant_id = $1 AND t.id = $2`;

export async function findTaskToUndo(
  transaction: Queries,
  tenantId: string,
  id: string,
): Promise<TaskToUndo | undefined> {
  const [task] = await transaction.query<TaskToUndo>(find, [tenantId, id]);
  return task;
}

/** An undo to store, or a plan of one. */
export interface NewUndoRow extends Omit<NewRetryRow, "include" | "toExecute"> {
  readonly kind: "undo" | "plan";
}

/** The columns that an undo copies from the undone task: its file, so that it is kept as long, and its webhook. */
const copied = "type, key, etag, webhook_url";

const noteUndo = "UPDATE bulk_tasks SET last_undo = $3, undone_by = $3 WHERE tenant_id = $1 AND id = $2";

/** Records the undo in the plans of an undo of its task, which it follows. */
const notePlans =
  "UPDATE bulk_tasks SET last_run = $3 WHERE tenant_id = $1 AND of_task = $2 AND kind = 'plan' AND pruned_at IS NULL";

/** Writes the row of the run or retry at the end of the chain of undos, so that its undos and retries conflict. */
const touchUndone = `
  UPDATE bulk_tasks SET undone = undone WHERE tenant_id = $1 AND id = (
    SELECT c.id FROM bulk_tasks t CROSS JOIN LATERAL (${undoChain} SELECT id FROM chain WHERE kind <> 'undo') c
    WHERE t.tenant_id = $1 AND t.id = $2)`;

/**
 * Stores a pending undo, and records it in the undone task's row. Conflicts (40001) with pruning of that task, and with
 * the concurrent creation of another undo or retry of the same run or retry. A plan is not recorded, so it does not
 * delay pruning. The undo has one operation per operation that the task has executed. Returns false when the tenant or
 * the task was deleted.
 */
export async function insertUndo(
  transaction: Queries,
  { tenantId, ofTask, ...undo }: NewUndoRow,
): Promise<boolean> {
  const columns = Object.keys(undo).map(columnName);
  const values = columns.map((_, i) => `$${i + 3}`);
  if (undo.kind === "undo") {
    await transaction.execute(noteUndo, [tenantId, ofTask, undo.id]);
    await transaction.execute(touchUndone, [tenantId, ofTask]);
    await transaction.execute(notePlans, [tenantId, ofTask, undo.id]);
  }
  const created = await transaction.execute(
    `INSERT INTO bulk_tasks (tenant_id, of_task, status, total, validated_at, ${copied}, ${columns.join(", ")})
     SELECT p.tenant_id, p.id, 'pending', p.cursor_index, now(), ${copied}, ${values.join(", ")}
     FROM bulk_tasks p JOIN (${heldTenant("t.id")}) held ON held.id = p.tenant_id WHERE p.id = $2`,
    [tenantId, ofTask, ...Object.values(undo)],
  );
  return created > 0;
}

/**
 * The undos of task $3, other than $2, that have undone something and are still in effect, with their failures from
 * index $4 to before $5.
 */
const earlier = `
  SELECT u.cursor_index AS executed, ARRAY (SELECT f.index FROM operation_log_failures f
    WHERE f.tenant_id = $1 AND f.task_id = u.id AND f.index >= $4 AND f.index < $5) AS failed
  FROM bulk_tasks u
  WHERE u.tenant_id = $1 AND u.of_task = $3 AND u.kind = 'undo' AND u.id <> $2 AND NOT u.pruning AND u.undone = 'none'
    AND u.succeeded + u.partial > 0`;

/**
 * Finds the operations of an undo, within a range, that an earlier undo of the same task has already executed; their
 * indexes are the same. Ignores undos that were undone themselves, even partly.
 */
export async function undoneEarlier(
  queries: Queries,
  { tenantId, taskId, ofTask }: { tenantId: string; taskId: string; ofTask: string },
  { first, end }: LogRange,
): Promise<(index: number) => boolean> {
  const rows = await queries.query<{ executed: number; failed: number[] }>(earlier, [
    ...[tenantId, taskId, ofTask, first, end],
  ]);
  const undos = rows.map(({ executed, failed }) => ({ executed, failed: new Set(failed) }));
  return (index) => undos.some(({ executed, failed }) => index < executed && !failed.has(index));
}
