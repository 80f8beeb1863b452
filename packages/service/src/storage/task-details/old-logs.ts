import type { Queries } from "../database.ts";
import { isMissingTable } from "../sql-states.ts";
import { type LogQuery, type LogSlice, parameters, type SizedLog } from "./log-query.ts";
import type { LogKey, StoredLog } from "./operation-logs.ts";

// Entries of versions before schema 21 are rows of the table `operation_logs`, until they have been moved into blocks.
// Then the table is dropped, and never made again.

/** Databases whose old table is gone, or was there when last asked. */
const tables = new WeakMap<Queries, "gone" | "there">();

/** Runs `work` on the old table, outside of a transaction; returns undefined where the table is gone. */
export async function onOldLogs<Result>(
  queries: Queries,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  if (!tables.has(queries)) {
    const [row] = await queries.query<{ exists: boolean }>(
      "SELECT to_regclass('operation_logs') IS NOT NULL AS exists",
    );
    tables.set(queries, row?.exists ? "there" : "gone");
  }
  if (tables.get(queries) === "gone") return undefined;
  try {
    return await work();
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    tables.set(queries, "gone");
    return undefined;
  }
}

/**
 * An entry's size without reading it: long values are stored compressed, to a hundredth at best. The estimate is never
 * too low, so that a page is never larger than allowed.
 */
export const estimatedBytes = ["input", "rendered", "output", "errors"]
  .map(
    (name) =>
      `CASE WHEN pg_column_compression(${name}) IS NULL THEN 1 ELSE 100 END * coalesce(pg_column_size(${name}), 0)`,
  )
  .join(" + ");

const conditions = `tenant_id = $1 AND task_id = $2 AND ($3::text IS NULL OR status = $3)
  AND ($4::text[] IS NULL OR intent = ANY ($4)) AND ($5::text IS NULL OR action = $5)
  AND ($6::text IS NULL OR error_name = $6) AND ($7::int IS NULL OR status_code = $7) AND NOT $8::boolean`;

/** The columns of an entry; its input is read as the expression `input` says. */
export const oldColumns = (input = "input") =>
  `index, ref, intent, status, status_code AS "statusCode", error_name AS "errorName", action, message, ${input},
  rendered, output, errors, started_at AS "startedAt", duration_ms AS "durationMs", NULL AS place`;

/** The entries of a page, each with how many there would be if bytes did not bound them. */
const selectPage = `
  SELECT ${oldColumns()}, bytes, rows
  FROM (SELECT *, count(*) OVER () AS rows, sum(bytes) OVER (ORDER BY index) - bytes AS before
    FROM (SELECT *, ${estimatedBytes} AS bytes FROM operation_logs WHERE ${conditions} AND index > $9
      ORDER BY index LIMIT $10) entry
  ) sized WHERE before < $11 ORDER BY index`;

/** The entries of a page that are in the old table. */
export async function readOldLogs(queries: Queries, query: LogQuery): Promise<LogSlice> {
  const values = [...parameters(query), query.after, query.count, query.bytes];
  const rows = await onOldLogs(queries, () =>
    queries.query<StoredLog & { bytes: number; rows: number }>(selectPage, values),
  );
  const entries = (rows ?? []).map(({ bytes, rows: _, ...entry }): SizedLog => ({ entry, bytes }));
  const read = rows?.[0]?.rows ?? 0;
  return { entries, isComplete: read === entries.length && read < query.count };
}

/** A query for how many entries of the old table match, as `count`; its parameters are those of `parameters`. */
export const countOldLogs = `SELECT count(*) AS count FROM operation_logs WHERE ${conditions}`;

/** The entries of the old table with these numbers. */
export async function readOldEntries(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  indexes: readonly number[],
): Promise<StoredLog[]> {
  const read = () =>
    queries.query<StoredLog>(
      `SELECT ${oldColumns()} FROM operation_logs WHERE tenant_id = $1 AND task_id = $2 AND index = ANY($3::int[])
       ORDER BY index`,
      [tenantId, taskId, indexes],
    );
  return (await onOldLogs(queries, read)) ?? [];
}

const deletePortion = `
  WITH portion AS MATERIALIZED (
    SELECT ctid AS entry FROM operation_logs WHERE tenant_id = $1 AND task_id = $2 ORDER BY index LIMIT $3
  ), gone AS (
    DELETE FROM operation_logs WHERE ctid = ANY (ARRAY (SELECT entry FROM portion)) RETURNING 1
  ) SELECT (SELECT count(*) FROM gone) AS entries, (SELECT count(*) FROM portion) < $3 AS "isLast"`;

/** Deletes at most so many entries of a task from the old table. */
export async function pruneOldLogs(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  most: number,
): Promise<{ entries: number; isLast: boolean }> {
  const prune = () =>
    queries.query<{ entries: number; isLast: boolean }>(deletePortion, [tenantId, taskId, most]);
  const [pruned] = (await onOldLogs(queries, prune)) ?? [];
  return pruned ?? { entries: 0, isLast: true };
}
