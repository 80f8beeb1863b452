import type { Database, Parameter, Queries } from "../database.ts";
import {
  type Claim,
  claimIsHeld,
  claimParameters,
  LostClaim,
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

/** True for a run of which no operation was executed, not even by a retry other than `e`; an SQL condition. */
const didNothing = (run: string) => `${run}.cursor_index = 0 AND NOT EXISTS (
  SELECT FROM bulk_tasks t
  WHERE t.tenant_id = ${run}.tenant_id AND t.of_task = ${run}.id AND t.kind = 'retry' AND t.id <> e.id
    AND NOT (t.ended_at IS NOT NULL AND t.cursor_index = 0 AND t.last_retry IS NULL))`;

/**
 * A statement that ends a task, `update`, with the rows it returns as `ended`. The plan of a run that did nothing, or
 * whose retry did nothing either, is followed by its newest other run that did something, and waits for one if there
 * is none.
 */
export const endingRun = (update: string) => `
  WITH ended AS (${update} RETURNING *), reopened AS (
    UPDATE bulk_tasks p SET last_run = (
      SELECT max(o.id) FROM bulk_tasks o
      WHERE o.tenant_id = p.tenant_id AND o.of_task = p.id AND o.kind = 'run' AND o.id <> r.id
        AND NOT (${didNothing("o")}))
    FROM ended e JOIN bulk_tasks r
      ON r.tenant_id = e.tenant_id AND r.id = CASE e.kind WHEN 'run' THEN e.id WHEN 'retry' THEN e.of_task END
    WHERE p.tenant_id = r.tenant_id AND p.id = r.of_task AND p.kind = 'plan' AND p.last_run = r.id AND r.kind = 'run'
      AND e.cursor_index = 0 AND ${didNothing("r")}
  )`;

/** Ends a claimed task in `error` by an UPDATE `WHERE ${claimIsHeld}`. Throws `LostClaim`. */
export async function endClaimed(
  queries: Queries,
  claim: Claim,
  update: string,
  parameters: readonly Parameter[],
): Promise<void> {
  const statement = `${endingRun(update)} SELECT id FROM ended`;
  const ended = await queries.query(statement, [...claimParameters(claim), ...parameters]);
  if (ended.length === 0) throw new LostClaim(claim);
}

const fail = `
  UPDATE bulk_tasks SET ${endInError}, error = $5, error_name = $6,
    stack = concat_ws(E'\\n', $7::text, ${whenItEnded})
  WHERE ${claimIsHeld}`;

/** Ends the task in `error`; with `onFailure`, begins its undo in the same transaction. Throws `LostClaim`. */
export async function failTask(
  database: Database,
  task: Claim & { readonly onFailure?: OnFailure | null },
  { error, errorName, details }: TaskFailure,
): Promise<void> {
  const end = (queries: Queries) => endClaimed(queries, task, fail, [error, errorName, details ?? null]);
  if (!task.onFailure) return end(database);
  await whileHolding(database, task, (transaction) => endThenUndo(transaction, task, () => end(transaction)));
}
