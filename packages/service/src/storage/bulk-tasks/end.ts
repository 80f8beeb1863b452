import type { Database, Parameter, Queries } from "../database.ts";
import { retriedTransaction } from "../retry.ts";
import { addEvent, type TaskEnd } from "../webhooks/events.ts";
import { type Claim, isOwned, LostClaim, type OnFailure, whileHolding } from "./claims/claimed-task.ts";
import { addToHour, type Progress, progress } from "./operation-hours.ts";
import { lastRetry } from "./retries/retry-chain.ts";
import { endThenUndo } from "./undos/failure-undo.ts";
import { noteUndone } from "./undos/undone.ts";
import { wakeRunners } from "./wake.ts";

/**
 * When a task ended and its progress, for its `stack`; an SQL expression in the UPDATE that ends it. An undo has no
 * file in which it could be at a position.
 */
export const whenItEnded = `
  'Ended at ' || to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
  CASE WHEN validated_at IS NULL THEN ' before the file was validated: no operation was executed'
    ELSE ' before ' || CASE WHEN kind = 'undo' OR (kind = 'plan' AND of_task IS NOT NULL)
        THEN 'operation ' ELSE '/operations/' END || cursor_index::text || ': ' || cursor_index::text || ' of ' ||
      total::text || ' operations had been executed' END`;

/** Ends a task, and takes it from its runner; SQL assignments. */
export const endNow = "ended_at = now(), owner = NULL, lease_until = NULL";

/** A statement that ends the task `$2` of the tenant `$1`, by SQL assignments and on a condition. */
export const ending = (assignments: string, condition: string): string => `
  UPDATE bulk_tasks SET ${endNow}, ${assignments} WHERE tenant_id = $1 AND id = $2 AND ${condition}
  RETURNING id, kind, of_task AS "ofTask", failure_undo AS "failureUndo", webhook_url AS "webhookUrl",
    status = 'error' AND cursor_index = 0 AS "isIdle", partial + failed > 0 AS "hasFailures", ${progress}`;

interface Ended extends TaskEnd, Progress {
  /** True when it ended in `error` before its first operation. */
  readonly isIdle: boolean;
  readonly hasFailures: boolean;
}

/** Stores the most frequent cause of a task's failures. */
const storeTopFailure = `
  UPDATE bulk_tasks SET top_failure = (
    SELECT json_build_object('cause', cause, 'count', count(*)) FROM operation_log_failures
    WHERE tenant_id = $1 AND task_id = $2
    GROUP BY cause ORDER BY bool_and(error_name = 'FailedDependency'), count(*) DESC, min(index) LIMIT 1)
  WHERE tenant_id = $1 AND id = $2`;

/**
 * Writes the row of the plan that an ended task's run follows, if none of its retry chain executed an operation; the
 * task is the last of the chain, since only ended ones are retried. All that adds a run or a retry to a plan writes
 * this row, so that what others commit meanwhile is read by `reopen`, or is a conflict (40001).
 */
const lockIdlePlan = `
  WITH RECURSIVE idle (tenant_id, id, kind, of_task) AS (
    SELECT tenant_id, id, kind, of_task FROM bulk_tasks WHERE tenant_id = $1 AND id = $2
    UNION ALL
    SELECT t.tenant_id, t.id, t.kind, t.of_task FROM idle i
    JOIN bulk_tasks t ON t.tenant_id = $1 AND t.id = i.of_task
    WHERE i.kind = 'retry' AND t.cursor_index = 0
  )
  UPDATE bulk_tasks p SET last_run = p.last_run FROM idle r
  WHERE r.kind = 'run' AND p.tenant_id = $1 AND p.id = r.of_task AND p.kind = 'plan'
  RETURNING p.id AS plan, r.id AS run`;

export interface TaskFailure {
  readonly error: string;
  readonly errorName: string;
  /** Details of the cause; the task's progress is appended. */
  readonly details?: string;
}

/**
 * Ends a task by a statement of `ending`, and writes what follows: its most frequent failure, its operations in their
 * hour, the plan that waits again, how far an undone task is undone, and the event for a webhook. False if no task is
 * found.
 */
export async function endTask(
  transaction: Queries,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  statement: string,
  parameters: readonly Parameter[],
): Promise<boolean> {
  const [ended] = await transaction.query<Ended>(statement, [tenantId, id, ...parameters]);
  if (ended === undefined) return false;
  const { kind, ofTask, hasFailures, isIdle } = ended;
  if (hasFailures) await transaction.execute(storeTopFailure, [tenantId, id]);
  if (kind !== "plan") await addToHour(transaction, tenantId, ended);
  if (isIdle && ofTask !== null) await waitAgain(transaction, tenantId, id);
  if (kind === "undo") await noteUndone(transaction, tenantId, ofTask);
  if (await addEvent(transaction, tenantId, ended)) await wakeRunners(transaction);
  return true;
}

/** Finds the newest other run of a plan that executed an operation, or of which a retry did or is unfinished. */
const otherRun = `
  SELECT max(o.id) AS id FROM bulk_tasks o
  WHERE o.tenant_id = $1 AND o.of_task = $2 AND o.kind = 'run' AND o.id <> $3
    AND (o.cursor_index > 0 OR ${lastRetry("o", "ended_at IS NULL OR cursor_index > 0")} IS NOT NULL)`;

const reopen = "UPDATE bulk_tasks SET last_run = $4 WHERE tenant_id = $1 AND id = $2 AND last_run = $3";

/** Makes the plan of an idle task's run wait for a run again, if no other run of it is in the way. */
async function waitAgain(transaction: Queries, tenantId: string, id: string): Promise<void> {
  const [idle] = await transaction.query<{ plan: string; run: string }>(lockIdlePlan, [tenantId, id]);
  if (idle === undefined) return;
  const [other] = await transaction.query<{ id: string | null }>(otherRun, [tenantId, idle.plan, idle.run]);
  await transaction.execute(reopen, [tenantId, idle.plan, idle.run, other?.id ?? null]);
}

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

/** Ends a claimed task by a statement of `ending` on the condition `isOwned`. Throws `LostClaim`. */
export async function endClaimed(
  transaction: Queries,
  claim: Claim,
  statement: string,
  parameters: readonly Parameter[] = [],
): Promise<void> {
  const { tenantId, taskId: id, owner, epoch } = claim;
  const ended = await endTask(transaction, { tenantId, id }, statement, [owner, epoch, ...parameters]);
  if (!ended) throw new LostClaim(claim);
}

const complete = ending("status = 'complete'", isOwned);

/** Ends a task of which every operation was executed as `complete`. Throws `LostClaim`. */
export const completeTask = (database: Database, claim: Claim): Promise<void> =>
  endingTransaction(database, (transaction) => endClaimed(transaction, claim, complete));

const fail = ending(
  `status = 'error', error = $5, error_name = $6, stack = coalesce($7::text || E'\\n', '') || ${whenItEnded}`,
  isOwned,
);

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
