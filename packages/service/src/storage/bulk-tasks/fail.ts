import type { Database, Queries } from "../database.ts";
import {
  type Claim,
  changeClaimed,
  claimIsHeld,
  type OnFailure,
  whileHolding,
} from "./claims/claimed-task.ts";
import { endThenUndo } from "./undos/failure-undo.ts";

/**
 * When a task ended and its progress, for its `stack`; an SQL expression in the UPDATE that ends it. An undo has no
 * file in which it could be at a position.
 */
export const whenItEnded = `
  'Ended at ' || to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
  CASE WHEN validated_at IS NULL THEN ' before the file was validated: no operation was executed'
    ELSE ' before ' || CASE WHEN kind = 'undo' OR (kind = 'plan' AND of_task IS NOT NULL)
        THEN 'operation ' ELSE '/operations/' END || cursor_index || ': ' || cursor_index || ' of ' || total ||
      ' operations had been executed' END`;

/**
 * Ends a task in `error`, and takes it from its runner; SQL assignments. A pending task gets a start order, which a
 * CHECK requires of ended tasks.
 */
export const endInError = `
  status = 'error', ended_at = now(), owner = NULL, lease_until = NULL,
  start_order = coalesce(start_order, nextval('bulk_task_start_order'))`;

export interface TaskFailure {
  readonly error: string;
  readonly errorName: string;
  /** Details of the cause; the task's progress is appended. */
  readonly details?: string;
}

/** True for a run that has executed nothing, so that its plan waits for another one; an SQL condition. */
export const didNothing = (task: string) => `${task}.kind = 'run' AND ${task}.cursor_index = 0`;

/** Begins a statement that ends a claimed task in `error`: the plan of a run that did nothing waits again. */
export const reopeningPlan = `
  WITH reopened AS (
    UPDATE bulk_tasks p SET last_run = NULL
    WHERE p.tenant_id = $1 AND p.kind = 'plan' AND p.last_run = $2 AND p.id = (
      SELECT r.of_task FROM (SELECT * FROM bulk_tasks WHERE ${claimIsHeld}) r WHERE ${didNothing("r")}))`;

const fail = `${reopeningPlan}
  UPDATE bulk_tasks SET ${endInError}, error = $5, error_name = $6,
    stack = concat_ws(E'\\n', $7::text, ${whenItEnded})
  WHERE ${claimIsHeld}`;

/** Ends the task in `error`; with `onFailure`, begins its undo in the same transaction. Throws `LostClaim`. */
export async function failTask(
  database: Database,
  task: Claim & { readonly onFailure?: OnFailure | null },
  { error, errorName, details }: TaskFailure,
): Promise<void> {
  const end = (queries: Queries) => changeClaimed(queries, task, fail, [error, errorName, details ?? null]);
  if (!task.onFailure) return end(database);
  await whileHolding(database, task, (transaction) => endThenUndo(transaction, task, () => end(transaction)));
}
