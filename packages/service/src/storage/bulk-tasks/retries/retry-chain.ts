import type { BulkTaskKind, OperationStatus } from "@lading/schema/internal";
import type { Queries } from "../../database.ts";

/** The outcomes that a retry can include. */
export const retriedOutcomes = ["FAILED", "PARTIAL", "NOT_ATTEMPTED"] as const;

export type RetriedOutcome = (typeof retriedOutcomes)[number];

/** The log status per outcome, if it has one. */
const statuses = { FAILED: "failure", PARTIAL: "partial" } as const satisfies Partial<
  Record<RetriedOutcome, OperationStatus>
>;

const outcomes = { failure: "FAILED", partial: "PARTIAL" } as const;

/** A run or one of its retries; each retry executes operations of the previous task again. */
export interface ChainTask {
  readonly id: string;
  readonly kind: BulkTaskKind;
  readonly ofTask: string | null;
  /** The outcomes that a retry includes; null for a run, which executes everything. */
  readonly include: readonly RetriedOutcome[] | null;
  readonly cursorIndex: number;
  readonly cursorOffset: number;
  readonly total: number | null;
  readonly endedAt: string | null;
  readonly validatedAt: string | null;
  readonly isPruned: boolean;
  readonly lastRetry: string | null;
  /** The undo that is in effect or unfinished. */
  readonly undoneBy: string | null;
  /** The extent to which it is undone. A retry only counts if `none`. */
  readonly undone: "none" | "part" | "whole";
  /** For a task that is undone as a whole: its newest undo, directly or through undos of undos. */
  readonly newestUndo: string | null;
  /** The unfinished undo, directly or through undos of undos. */
  readonly openUndo: string | null;
  readonly errorName: string | null;
  readonly status: string;
  readonly key: string;
  readonly etag: string;
}

/** The newest undo of a task of the tenant `$1`, or of its undos and so on, on a condition; an SQL expression. */
export const newestUndo = (task: string, condition?: string) => newestFollower("undo", task, condition);

/** The last retry of a task of the tenant `$1`, or of its retries and so on, on a condition; an SQL expression. */
export const lastRetry = (task: string, condition?: string) => newestFollower("retry", task, condition);

const newestFollower = (kind: "undo" | "retry", task: string, condition = "true") =>
  `(WITH RECURSIVE followers (id, of_task, ended_at, cursor_index, undone) AS (
    SELECT ${task}.id, NULL::text, NULL::timestamptz, NULL::int, NULL::text
    UNION ALL
    SELECT r.id, r.of_task, r.ended_at, r.cursor_index, r.undone FROM followers f JOIN bulk_tasks r
      ON r.tenant_id = $1 AND r.of_task = f.id AND r.kind = '${kind}'
  ) SELECT max(id) FROM followers WHERE id <> ${task}.id AND (${condition}))`;

const columns = (task: string) =>
  `${task}.id, ${task}.kind, ${task}.of_task AS "ofTask", ${task}.include, ${task}.cursor_index AS "cursorIndex",
  ${task}.cursor_offset AS "cursorOffset", ${task}.total, ${task}.ended_at AS "endedAt",
  ${task}.validated_at AS "validatedAt", ${task}.pruning OR ${task}.pruned_at IS NOT NULL AS "isPruned",
  ${task}.last_retry AS "lastRetry", ${task}.undone_by AS "undoneBy", ${task}.undone,
  CASE WHEN ${task}.undone = 'whole' THEN ${newestUndo(task)} END AS "newestUndo",
  CASE WHEN ${task}.last_undo IS NOT NULL THEN ${newestUndo(task, "ended_at IS NULL")} END AS "openUndo",
  ${task}.error_name AS "errorName", ${task}.status, ${task}.key, ${task}.etag`;

const selectChain = `
  WITH RECURSIVE chain (id, kind, of_task, position) AS (
    SELECT id, kind, of_task, 0 FROM bulk_tasks WHERE tenant_id = $1 AND id = $2
    UNION ALL
    SELECT t.id, t.kind, t.of_task, c.position + 1 FROM chain c
    JOIN bulk_tasks t ON t.tenant_id = $1 AND t.id = c.of_task WHERE c.kind = 'retry'
  )
  SELECT ${columns("t")} FROM chain c JOIN bulk_tasks t ON t.tenant_id = $1 AND t.id = c.id ORDER BY c.position`;

/** A task and, for a retry, the tasks before it: the nearest first, the run last. Empty if there is no such task. */
export const chainOf = (queries: Queries, tenantId: string, id: string): Promise<ChainTask[]> =>
  queries.query<ChainTask>(selectChain, [tenantId, id]);

/** The task's whole retry chain, the last retry first. */
export async function wholeChain(queries: Queries, tenantId: string, id: string): Promise<ChainTask[]> {
  const chain = await chainOf(queries, tenantId, id);
  const lastRetry = chain[0]?.lastRetry ?? null;
  return lastRetry === null ? chain : chainOf(queries, tenantId, lastRetry);
}

/** The tasks of a retry chain whose outcomes and results count: all except undone retries. */
export const countedTasks = <Task extends Pick<ChainTask, "kind" | "undone">>(
  chain: readonly Task[],
): Task[] => chain.filter(({ kind, undone }) => kind !== "retry" || undone === "none");

/** The results of validation that are needed to read a task's file. */
export interface ChainFile {
  readonly version: string | null;
  /** Hashes of its stretches, in base64; null once pruned. */
  readonly stretchHashes: string | null;
}

/** The file of a task; undefined if there is no such task. */
export async function fileOf(queries: Queries, tenantId: string, id: string): Promise<ChainFile | undefined> {
  const [file] = await queries.query<ChainFile>(
    `SELECT file_version AS version, encode(stretch_hashes, 'base64') AS "stretchHashes" FROM bulk_tasks
     WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id],
  );
  return file;
}

const selectRetries = `
  WITH RECURSIVE chain (root, id, position) AS (
    SELECT id, id, 0 FROM unnest($2::text[]) AS r(id)
    UNION ALL
    SELECT c.root, t.id, c.position + 1 FROM chain c
    JOIN bulk_tasks t ON t.tenant_id = $1 AND t.of_task = c.id AND t.kind = 'retry'
  )
  SELECT c.root, ${columns("t")} FROM chain c JOIN bulk_tasks t ON t.tenant_id = $1 AND t.id = c.id
  WHERE c.position > 0 ORDER BY c.position`;

const selectAnyRetry = `
  SELECT id FROM bulk_tasks WHERE tenant_id = $1 AND of_task = ANY ($2::text[]) AND kind = 'retry' LIMIT 1`;

/**
 * The retries that follow tasks, `root`: the first one retries the task, each other one the previous retry. A cheap
 * query first finds the tasks with retries: most have none, and planning the full query takes several times as long.
 */
export async function retriesOf(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<(ChainTask & { root: string })[]> {
  const found = await queries.query(selectAnyRetry, [tenantId, ids]);
  return found.length === 0 ? [] : queries.query(selectRetries, [tenantId, ids]);
}

/** True when a retry has executed the operation with this index and previous status. */
export const hasExecuted = (
  { include, cursorIndex }: ChainTask,
  index: number,
  status: "failure" | "partial",
): boolean => index < cursorIndex && include?.includes(outcomes[status]) === true;

/** Rows of failures that are the latest outcome of their operations, in a task from an index on. */
export interface FailureSource {
  readonly taskId: string;
  readonly status: OperationStatus;
  readonly from: number;
}

/**
 * The sources of operations with some outcomes after a retry chain that has ended. An operation's outcome is that of
 * the last task that executed it: a retry executes all operations with the included outcomes before its cursor.
 */
export function failureSources(
  chain: readonly Pick<ChainTask, "id" | "include" | "cursorIndex">[],
  include: readonly RetriedOutcome[],
): FailureSource[] {
  return chain.flatMap(({ id: taskId }, at) =>
    include.flatMap((outcome) => {
      if (outcome === "NOT_ATTEMPTED") return [];
      const retries = chain.slice(0, at).filter(({ include }) => include?.includes(outcome));
      const from = Math.max(0, ...retries.map(({ cursorIndex }) => cursorIndex));
      return [{ taskId, status: statuses[outcome], from }];
    }),
  );
}

/**
 * The rows of failures that are the latest outcome of a task's operations, in the task or its retries. Ignores undone
 * retries.
 */
export async function unrepairedSources(
  queries: Queries,
  tenantId: string,
  taskId: string,
): Promise<FailureSource[]> {
  const counted = countedTasks(await retriesOf(queries, tenantId, [taskId])).toReversed();
  return failureSources([...counted, { id: taskId, include: null, cursorIndex: 0 }], ["FAILED", "PARTIAL"]);
}

/** The position up to which a retry chain has executed the file: just after an operation. */
export function attemptedTo(chain: readonly ChainTask[]): { index: number; offset: number } {
  return chain.reduceRight(
    (position, { include, cursorIndex: index, cursorOffset: offset }) =>
      index > position.index && (include === null || include.includes("NOT_ATTEMPTED"))
        ? { index, offset }
        : position,
    { index: 0, offset: 0 },
  );
}
