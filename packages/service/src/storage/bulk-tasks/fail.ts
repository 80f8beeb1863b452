import type { Database, Parameter, Queries } from "../database.ts";
import { retriedTransaction } from "../retry.ts";
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
 * Ends a task by an UPDATE of its row; returns false if that finds none. The task is the last of its retry chain, since
 * only ended ones are retried. If none of the chain executed an operation, the plan of its run may have to wait again:
 * its row is written first, as by all that adds a run or a retry to a plan, so that what others commit meanwhile is
 * read by `reopen`, or is a conflict (40001).
 */
export async function endTask(
  transaction: Queries,
  tenantId: string,
  update: string,
  parameters: readonly Parameter[],
): Promise<boolean> {
  const statement = `
  WITH RECURSIVE ended AS (${update} RETURNING *), idle (tenant_id, id, kind, of_task) AS (
    SELECT tenant_id, id, kind, of_task FROM ended WHERE cursor_index = 0
    UNION ALL
    SELECT t.tenant_id, t.id, t.kind, t.of_task FROM idle i
    JOIN bulk_tasks t ON t.tenant_id = i.tenant_id AND t.id = i.of_task
    WHERE i.kind = 'retry' AND t.cursor_index = 0
  ), locked AS (
    UPDATE bulk_tasks p SET last_run = p.last_run FROM idle r
    WHERE r.kind = 'run' AND p.tenant_id = r.tenant_id AND p.id = r.of_task AND p.kind = 'plan'
    RETURNING p.id AS plan, r.id AS run
  )
  SELECT l.plan, l.run FROM ended LEFT JOIN locked l ON true`;
  const [ended] = await transaction.query<{ plan: string | null; run: string | null }>(statement, parameters);
  if (ended?.plan) await transaction.execute(reopen, [tenantId, ended.plan, ended.run]);
  return ended !== undefined;
}

/**
 * Records as the run that follows a plan the newest other one that executed an operation, or of which a retry did or is
 * unfinished; without such a run the plan waits.
 */
const reopen = `
  UPDATE bulk_tasks p SET last_run = (
    SELECT max(o.id) FROM bulk_tasks o
    WHERE o.tenant_id = p.tenant_id AND o.of_task = p.id AND o.kind = 'run' AND o.id <> $3
      AND (o.cursor_index > 0 OR ${lastRetry("o", "ended_at IS NULL OR cursor_index > 0")} IS NOT NULL))
  WHERE p.tenant_id = $1 AND p.id = $2 AND p.last_run = $3`;

/**
 * Runs a transaction that ends a task and may wait for its open batch. Each statement reads what was committed before
 * it: with one snapshot for all it would fail instead of waiting, batch after batch.
 */
export const endingTransaction = <Result>(
  database: Database,
  work: (transaction: Queries) => Promise<Result>,
): Promise<Result> =>
  retriedTransaction(database, async (transaction) => {
    await transaction.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    return work(transaction);
  });

/** Ends a claimed task in `error` by an UPDATE `WHERE ${claimIsHeld}`. Throws `LostClaim`. */
export async function endClaimed(
  transaction: Queries,
  claim: Claim,
  update: string,
  parameters: readonly Parameter[],
): Promise<void> {
  const ended = await endTask(transaction, claim.tenantId, update, [
    ...claimParameters(claim),
    ...parameters,
  ]);
  if (!ended) throw new LostClaim(claim);
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
  if (!task.onFailure) return endingTransaction(database, end);
  await whileHolding(database, task, (transaction) => endThenUndo(transaction, task, () => end(transaction)));
}
