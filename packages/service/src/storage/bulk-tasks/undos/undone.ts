import type { BulkTaskKind } from "@lading/schema/internal";
import type { Queries } from "../../database.ts";
import { recountRepaired } from "../retries/failed-operations.ts";

interface UndoneTask {
  readonly kind: BulkTaskKind;
  readonly ofTask: string | null;
  readonly undone: "none" | "part" | "whole";
}

const lock = `SELECT undone FROM bulk_tasks WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`;

/**
 * An undo is whole if, when it ends, everything its task did is undone, by it or by earlier undos, none of which has
 * since been undone, even partly. One that finds nothing to undo undoes a task as a whole, too: a retry can only be
 * undone after the retries that have continued it, and all of their operations may have failed.
 */
const update = `
  UPDATE bulk_tasks t SET (undone, undone_by) = (
    SELECT CASE WHEN bool_or(u.is_whole) THEN 'whole' WHEN bool_or(u.has_undone) THEN 'part' ELSE 'none' END,
      (array_agg(u.id ORDER BY u.ended_at IS NULL DESC, u.has_undone DESC, u.is_whole DESC, u.id DESC)
        FILTER (WHERE u.ended_at IS NULL OR u.has_undone OR u.is_whole))[1]
    FROM (SELECT w.id, w.ended_at, w.succeeded + w.partial > 0 AS has_undone,
        w.status = 'complete' AND w.failed = 0 AND w.undone = 'none' AND NOT EXISTS (
          SELECT FROM bulk_tasks e JOIN bulk_tasks r ON r.tenant_id = $1 AND r.of_task = e.id
          WHERE e.tenant_id = $1 AND e.of_task = t.id AND e.kind = 'undo' AND e.id < w.id
            AND r.kind = 'undo' AND r.id > w.id AND r.succeeded + r.partial > 0 AND r.undone <> 'whole') AS is_whole
      FROM bulk_tasks w WHERE w.tenant_id = $1 AND w.of_task = t.id AND w.kind = 'undo'
        AND w.undone <> 'whole') u)
  WHERE t.tenant_id = $1 AND t.id = $2
  RETURNING t.kind, t.of_task AS "ofTask", t.undone`;

/**
 * Updates how far a task is undone when one of its undos undoes its first operations, and when that ends; if the task
 * is itself an undo, continues with its task, and so on. Rows are locked in the order from undo to task. Every row is
 * written, changed or not, so that transactions that read the same undos conflict.
 */
export async function noteUndone(transaction: Queries, tenantId: string, task: string | null): Promise<void> {
  for (let id = task; id !== null; ) {
    const [before] = await transaction.query<{ undone: string }>(lock, [tenantId, id]);
    const [after] = await transaction.query<UndoneTask>(update, [tenantId, id]);
    if (before === undefined || after === undefined) return;
    const isNew = (before.undone === "none") !== (after.undone === "none");
    if (isNew && after.kind === "retry") await recountRepaired(transaction, tenantId, after.ofTask);
    id = after.kind === "undo" ? after.ofTask : null;
  }
}
