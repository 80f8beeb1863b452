import type { OperationStatus } from "@lading/schema/internal";
import type { FailureSource } from "../bulk-tasks/retries/retry-chain.ts";
import type { Parameter, Queries } from "../database.ts";
import { conditionList } from "../pages/list.ts";
import type { LogQuery } from "./log-query.ts";
import type { FailureFilter } from "./operation-logs.ts";

const failedStatuses = ["failure", "partial"] as const satisfies OperationStatus[];

/** The filter of a query for failures; null for a query that entries without a failure row can match, too. */
export function failureFilterOf(given: FailureFilter): FailureFilter | null {
  const { errorName, statusCode, cause, unrepaired } = given;
  const filter = { errorName, statusCode, cause, unrepaired: unrepaired || null };
  return Object.values(filter).every((value) => value === undefined || value === null) ? null : filter;
}

/** The matching rows of `operation_log_failures`, as parts of a statement. */
export interface FailureRows {
  /** Sources of rows, as `s (task_id, status, from_index)`. */
  readonly sources: string;
  /** A condition on a row `l` of a source. */
  readonly matches: string;
  readonly values: readonly Parameter[];
}

/**
 * Builds the statement parts for matching rows, whose parameters other than tenant and task begin at a number. Other
 * tasks' rows stand for operations that failed again in a retry: then the task's own row must match. It is looked up
 * per row, as a join would read all rows of the task.
 */
export function failureRows(
  { intents, failures, status, unrepaired, taskId }: LogQuery,
  first: number,
): FailureRows {
  const statuses: readonly string[] = status ? [status] : failedStatuses;
  const own = (unrepaired ?? failedStatuses.map((status) => ({ taskId, status, from: 0 }))).filter(
    (source) => source.taskId !== taskId || statuses.includes(source.status),
  );
  const { conditions, parameters } = conditionList(
    [
      ["intent = ANY(?::text[])", intents],
      ["error_name = ?", failures?.errorName],
      ["status_code = ?", failures?.statusCode],
      ["cause = ?", failures?.cause],
    ],
    first + 4,
  );
  const all = ["true", ...conditions].join(" AND ");
  const [tasks, each, from] = [0, 1, 2].map((at) => `$${first + at}`);
  return {
    sources: `unnest(${tasks}::text[], ${each}::text[], ${from}::int[]) AS s (task_id, status, from_index)`,
    matches: `CASE WHEN l.task_id = $2 THEN ${all} ELSE EXISTS (
      SELECT FROM operation_log_failures WHERE tenant_id = $1 AND task_id = $2 AND status = ANY($${first + 3}::text[])
        AND index = l.index AND ${all} OFFSET 0) END`,
    values: [...sourceParameters(own), statuses, ...parameters],
  };
}

/** A query for the number of matching failures, as `count`. */
export function countFailures(query: LogQuery): { sql: string; values: readonly Parameter[] } {
  const { sources, matches, values } = failureRows(query, 3);
  return {
    sql: `SELECT coalesce(sum(c.count), 0)::int AS count FROM ${sources} CROSS JOIN LATERAL (
      SELECT count(*) FROM operation_log_failures l
      WHERE l.tenant_id = $1 AND l.task_id = s.task_id AND l.status = s.status AND l.index >= s.from_index
        AND ${matches}) c`,
    values: [query.tenantId, query.taskId, ...values],
  };
}

/** The sources as parameters, one array per column. */
export const sourceParameters = (sources: readonly FailureSource[]): Parameter[] => [
  sources.map(({ taskId }) => taskId),
  sources.map(({ status }) => status),
  sources.map(({ from }) => from),
];

/** Operations that did not succeed for the same reason. */
export interface FailureGroup {
  readonly cause: string;
  readonly errorName: string;
  readonly statusCode: number;
  readonly intent: string;
  readonly count: number;
  /** The index of the first of them in the file. */
  readonly firstIndex: number;
  /** The task with the log entry of the first. */
  readonly firstTask: string;
  /** True if all have the same message; false for several logged before digests of messages were stored. */
  readonly hasOneMessage: boolean;
}

export const listedGroups = 1_000;

/** The condition that an operation failed only because it refers to one that failed. */
const isDependent = "error_name = 'FailedDependency'";

/**
 * The groups of some failure rows, largest first and those of dependent operations last: at most `listedGroups`, and
 * one more if there are more. Each source is grouped alone: over a join the planner expects few rows, and would sort a
 * million instead of hashing them.
 */
export const groupFailures = (
  queries: Queries,
  tenantId: string,
  sources: readonly FailureSource[],
): Promise<FailureGroup[]> =>
  queries.query<FailureGroup>(
    `SELECT g.cause, g.error_name AS "errorName", g.status_code AS "statusCode", g.intent,
       sum(g.count)::int AS count, min(g.first) AS "firstIndex",
       (array_agg(s.task_id ORDER BY g.first))[1] AS "firstTask",
       sum(g.count) = 1 OR (sum(g.digests) = sum(g.count) AND min(g.least) = max(g.most)) AS "hasOneMessage"
     FROM unnest($2::text[], $3::text[], $4::int[]) AS s(task_id, status, from_index) CROSS JOIN LATERAL (
       SELECT cause, error_name, status_code, intent, count(*) AS count, min(index) AS first,
         count(message_digest) AS digests, min(message_digest) AS least, max(message_digest) AS most
       FROM operation_log_failures
       WHERE tenant_id = $1 AND task_id = s.task_id AND status = s.status AND index >= s.from_index
       GROUP BY 1, 2, 3, 4 ORDER BY ${isDependent}, count DESC, first LIMIT ${listedGroups + 1}) g
     GROUP BY 1, 2, 3, 4 ORDER BY g.${isDependent}, count DESC, "firstIndex" LIMIT ${listedGroups + 1}`,
    [tenantId, ...sourceParameters(sources)],
  );
