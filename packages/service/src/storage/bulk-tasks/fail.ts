import type { Database, Parameter, Queries } from "../database.ts";
import {
  type Claim,
  claimIsHeld,
  claimParameters,
  LostClaim,
  type OnFailure,
  whileHolding,
} from "./claims/claimed-task.ts";
import { lastRetry } from "./retries/retry-chain.ts";
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

/**
 * A statement that ends a task, `update`, with the rows it returns as `ended`. The task is the last of its retry chain,
 * since only ended ones are retried. If none of the chain executed an operation, the plan of its run is followed by the
 * newest other run that executed one, or of which a retry did or is unfinished; without such a run the plan waits.
 */
export const endingRun = (update: string) => `
  WITH RECURSIVE ended AS (${update} RETURNING *), idle (tenant_id, id, kind, of_task) AS (
    SELECT tenant_id, id, kind, of_task FROM ended WHERE cursor_index = 0
    UNION ALL
    SELECT t.tenant_id, t.id, t.kind, t.of_task FROM idle i
    JOIN bulk_tasks t ON t.tenant_id = i.tenant_id AND t.id = i.of_task
    WHERE i.kind = 'retry' AND t.cursor_index = 0
  ), reopened AS (
    UPDATE bulk_tasks p SET last_run = (
      SELECT max(o.id) FROM bulk_tasks o
      WHERE o.tenant_id = p.tenant_id AND o.of_task = p.id AND o.kind = 'run' AND o.id <> r.id
        AND (o.cursor_index > 0 OR ${lastRetry("o", "ended_at IS NULL OR cursor_index > 0")} IS NOT NULL))
    FROM idle r
    WHERE r.kind = 'run' AND p.tenant_id = r.tenant_id AND p.id = r.of_task AND p.kind = 'plan' AND p.last_run = r.id
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
