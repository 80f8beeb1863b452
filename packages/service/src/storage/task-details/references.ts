import type { ReferenceLifetime } from "@lading/schema/internal";
import type { CountedOperation } from "../bulk-tasks/advance-cursor.ts";
import type { Claim } from "../bulk-tasks/claims/claimed-task.ts";
import type { Queries } from "../database.ts";
import { readLogEntries } from "./read-logs.ts";

type TaskKey = Pick<Claim, "tenantId" | "taskId">;

/** Tasks that execute the same file, each a retry of the next: the last is the run, which has the file's lifetimes. */
export interface RetryChain {
  readonly tenantId: string;
  readonly taskIds: readonly string[];
}

const runOf = ({ taskIds }: RetryChain) => taskIds.at(-1) ?? "";

/** Rows of one insert. */
const lifetimesPerStatement = 20_000;

/** Stores for each referenced result which operation reads it last. */
export async function storeLifetimes(
  transaction: Queries,
  { tenantId, taskId }: TaskKey,
  lifetimes: readonly ReferenceLifetime[],
): Promise<void> {
  for (let start = 0; start < lifetimes.length; start += lifetimesPerStatement) {
    await transaction.execute(
      `INSERT INTO bulk_task_references (tenant_id, task_id, index, last_reader)
       SELECT $1, $2, r.index, r."lastReader" FROM json_to_recordset($3::json) AS r(index int, "lastReader" int)`,
      [tenantId, taskId, JSON.stringify(lifetimes.slice(start, start + lifetimesPerStatement))],
    );
  }
}

/** The result lifetimes of operations from the index `start` to before `end`. */
export async function lifetimesBetween(
  queries: Queries,
  chain: RetryChain,
  start: number,
  end: number,
): Promise<ReferenceLifetime[]> {
  return queries.query<ReferenceLifetime>(
    `SELECT index, last_reader AS "lastReader" FROM bulk_task_references
     WHERE tenant_id = $1 AND task_id = $2 AND index >= $3 AND index < $4`,
    [chain.tenantId, runOf(chain), start, end],
  );
}

export const lifetimesOf = (
  queries: Queries,
  chain: RetryChain,
  indexes: readonly number[],
): Promise<ReferenceLifetime[]> =>
  queries.query<ReferenceLifetime>(
    `SELECT index, last_reader AS "lastReader" FROM bulk_task_references
     WHERE tenant_id = $1 AND task_id = $2 AND index = ANY($3::int[])`,
    [chain.tenantId, runOf(chain), indexes],
  );

/** An operation's result that a later one reads, from the operation log. */
export interface ReferencedResult extends ReferenceLifetime {
  ref: string;
  status: CountedOperation["status"];
  output: unknown;
}

/** Operations that a task skips: from `first` to before `next`, which it executes. */
export interface Gap {
  readonly first: number;
  readonly next: number;
}

/** Results of skipped operations that those after their gap read, in file order. */
export async function resultsInGaps(
  queries: Queries,
  chain: RetryChain,
  gaps: readonly Gap[],
): Promise<ReferencedResult[]> {
  const wide = gaps.filter(({ first, next }) => first < next);
  if (wide.length === 0) return [];
  const lifetimes = await queries.query<ReferenceLifetime>(
    `SELECT r.index, r.last_reader AS "lastReader" FROM unnest($3::int[], $4::int[]) AS g(first, next)
     JOIN bulk_task_references r ON r.tenant_id = $1 AND r.task_id = $2 AND r.index >= g.first AND r.index < g.next
       AND r.last_reader >= g.next
     ORDER BY r.index`,
    [chain.tenantId, runOf(chain), wide.map(({ first }) => first), wide.map(({ next }) => next)],
  );
  return resultsOf(queries, chain, lifetimes);
}

/** Results of operations before the cursor that later ones read, in file order. */
export async function resultsReadFrom(
  queries: Queries,
  chain: RetryChain,
  cursor: number,
): Promise<ReferencedResult[]> {
  const lifetimes = await queries.query<ReferenceLifetime>(
    `SELECT index, last_reader AS "lastReader" FROM bulk_task_references
     WHERE tenant_id = $1 AND task_id = $2 AND index < $3 AND last_reader >= $3 ORDER BY index`,
    [chain.tenantId, runOf(chain), cursor],
  );
  return resultsOf(queries, chain, lifetimes);
}

/** Results of operations, each from the first of the tasks that executed it. */
async function resultsOf(
  queries: Queries,
  { tenantId, taskIds }: RetryChain,
  lifetimes: readonly ReferenceLifetime[],
): Promise<ReferencedResult[]> {
  const entries: Awaited<ReturnType<typeof readLogEntries>> = new Map();
  for (const taskId of taskIds) {
    const indexes = lifetimes.map(({ index }) => index).filter((index) => !entries.has(index));
    for (const [index, entry] of await readLogEntries(queries, { tenantId, taskId }, indexes))
      entries.set(index, entry);
  }
  return lifetimes.flatMap(({ index, lastReader }) => {
    const entry = entries.get(index);
    return entry === undefined || entry.ref === null ? [] : [{ ...entry, ref: entry.ref, lastReader }];
  });
}
