import type { ReferenceLifetime } from "@lading/schema";
import type { CountedOperation } from "../bulk-tasks/advance-cursor.ts";
import type { Claim } from "../bulk-tasks/claimed-task.ts";
import type { Queries } from "../database.ts";
import { readLogEntries } from "./read-logs.ts";

type TaskKey = Pick<Claim, "tenantId" | "taskId">;

/** Rows of one insert. */
const lifetimesPerStatement = 20_000;

/** Stores which operation is the last to read the result of another, for all that are read. */
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

/** The lifetimes of the results of operations from the number `start` to before `end`. */
export async function lifetimesBetween(
  queries: Queries,
  { tenantId, taskId }: TaskKey,
  start: number,
  end: number,
): Promise<ReferenceLifetime[]> {
  return queries.query<ReferenceLifetime>(
    `SELECT index, last_reader AS "lastReader" FROM bulk_task_references
     WHERE tenant_id = $1 AND task_id = $2 AND index >= $3 AND index < $4`,
    [tenantId, taskId, start, end],
  );
}

/** The result of an operation that a later one reads, from the operation log. */
export interface ReferencedResult extends ReferenceLifetime {
  ref: string;
  status: CountedOperation["status"];
  output: unknown;
}

/** The results of operations before the cursor that those from it on read, in the order of the file. */
export async function resultsReadFrom(
  queries: Queries,
  { tenantId, taskId }: TaskKey,
  cursor: number,
): Promise<ReferencedResult[]> {
  const lifetimes = await queries.query<ReferenceLifetime>(
    `SELECT index, last_reader AS "lastReader" FROM bulk_task_references
     WHERE tenant_id = $1 AND task_id = $2 AND index < $3 AND last_reader >= $3 ORDER BY index`,
    [tenantId, taskId, cursor],
  );
  const indexes = lifetimes.map(({ index }) => index);
  const entries = await readLogEntries(queries, { tenantId, taskId }, indexes);
  return lifetimes.flatMap(({ index, lastReader }) => {
    const entry = entries.get(index);
    return entry === undefined || entry.ref === null ? [] : [{ ...entry, ref: entry.ref, lastReader }];
  });
}
