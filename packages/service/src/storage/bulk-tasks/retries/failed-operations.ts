import type { Queries } from "../../database.ts";
import { sourceParameters } from "../../task-details/failures.ts";
import type { FileRange } from "../../task-details/operation-logs.ts";
import { readPositions } from "../../task-details/read-logs.ts";
import { type ChainTask, type FailureSource, unrepairedSources } from "./retry-chain.ts";

/** An operation whose latest outcome is failed or partial. */
export interface FailedOperation {
  readonly index: number;
  /** The last task that executed it. */
  readonly taskId: string;
}

const sourceColumns = ({ length }: readonly FailureSource[]): string =>
  length === 0 ? "" : "unnest($2::text[], $3::text[], $4::int[]) AS s(task_id, status, from_index)";

/** The first `count` operations of some sources from an index on, in file order. */
export async function failedOperations(
  queries: Queries,
  tenantId: string,
  sources: readonly FailureSource[],
  { from, count }: { from: number; count: number },
): Promise<FailedOperation[]> {
  if (sources.length === 0) return [];
  return queries.query<FailedOperation>(
    `SELECT f.index, s.task_id AS "taskId" FROM ${sourceColumns(sources)} CROSS JOIN LATERAL (
       SELECT index FROM operation_log_failures
       WHERE tenant_id = $1 AND task_id = s.task_id AND status = s.status AND index >= greatest(s.from_index, $5::int)
       ORDER BY index LIMIT $6) f
     ORDER BY f.index LIMIT $6`,
    [tenantId, ...sourceParameters(sources), from, count],
  );
}

/** The number of operations of some sources. */
export async function countFailed(
  queries: Queries,
  tenantId: string,
  sources: readonly FailureSource[],
): Promise<number> {
  if (sources.length === 0) return 0;
  const [row] = await queries.query<{ count: number }>(
    `SELECT coalesce(sum(f.count), 0)::int AS count FROM ${sourceColumns(sources)} CROSS JOIN LATERAL (
       SELECT count(*) FROM operation_log_failures
       WHERE tenant_id = $1 AND task_id = s.task_id AND status = s.status AND index >= s.from_index) f`,
    [tenantId, ...sourceParameters(sources)],
  );
  return row?.count ?? 0;
}

/** The positions of failed operations in their file; omits those whose log was pruned meanwhile. */
export async function positionsOf(
  queries: Queries,
  tenantId: string,
  failed: readonly FailedOperation[],
): Promise<Map<number, FileRange>> {
  const positions = new Map<number, FileRange>();
  for (const [taskId, ofTask] of Map.groupBy(failed, ({ taskId }) => taskId)) {
    const indexes = ofTask.map(({ index }) => index);
    for (const [index, position] of await readPositions(queries, { tenantId, taskId }, indexes))
      positions.set(index, position);
  }
  return positions;
}

/**
 * Counts the operations that a retry executed successfully as repaired, in each of the tasks before it where they had
 * failed or were partial; in the transaction of the retry's effects. `recountRepaired` takes away what was undone.
 */
export async function countRepaired(
  transaction: Queries,
  tenantId: string,
  earlier: readonly string[],
  indexes: readonly number[],
): Promise<void> {
  if (indexes.length === 0) return;
  await transaction.execute(
    `UPDATE bulk_tasks t SET repaired = least(t.repaired + f.count, t.partial + t.failed) FROM (
       SELECT task_id, count(*) AS count FROM operation_log_failures
       WHERE tenant_id = $1 AND task_id = ANY($2::text[]) AND status IN ('failure', 'partial') AND index = ANY($3::int[])
       GROUP BY task_id) f
     WHERE t.tenant_id = $1 AND t.id = f.task_id`,
    [tenantId, earlier, indexes],
  );
}

/** Two sources may have one operation, if a retry between them was undone; a retry may have others than the task. */
const recount = `
  UPDATE bulk_tasks SET repaired = CASE WHEN pruning THEN repaired ELSE partial + failed - (
    SELECT count(DISTINCT f.index)::int
    FROM unnest($3::text[], $4::text[], $5::int[]) AS s(task_id, status, from_index)
    JOIN operation_log_failures f ON f.tenant_id = $1 AND f.task_id = s.task_id AND f.status = s.status
      AND f.index >= s.from_index
    WHERE s.task_id = $2 OR EXISTS (SELECT FROM operation_log_failures o WHERE o.tenant_id = $1 AND o.task_id = $2
      AND o.status IN ('failure', 'partial') AND o.index = f.index OFFSET 0)) END
  WHERE tenant_id = $1 AND id = $2 RETURNING kind, of_task AS "ofTask"`;

/** Recounts what retries have repaired in a task, and in those it retries, when one of them is undone or redone. */
export async function recountRepaired(
  transaction: Queries,
  tenantId: string,
  task: string | null,
): Promise<void> {
  for (let id = task; id !== null; ) {
    const sources = sourceParameters(await unrepairedSources(transaction, tenantId, id));
    const [counted] = await transaction.query<Pick<ChainTask, "kind" | "ofTask">>(recount, [
      tenantId,
      id,
      ...sources,
    ]);
    id = counted?.kind === "retry" ? counted.ofTask : null;
  }
}
