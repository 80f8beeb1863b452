import { type Action, actions, type BulkTaskKind, type BulkTaskStatus } from "@lading/schema/internal";
import type { Parameter, Queries } from "../database.ts";
import { firstIdAt } from "../ids.ts";
import { idCursor, type Page, type PageRequest, page, pageLimit } from "../pages/page.ts";
import { taskInTurn } from "./claims/claimable.ts";
import type { OnFailure } from "./claims/claimed-task.ts";
import type { HeldBecause } from "./hold.ts";
import type { DestructiveChanges } from "./plans/destructive.ts";
import type { RetriedOutcome } from "./retries/retry-chain.ts";

export type ActionCounts = Record<Action, number>;

/** The most frequent cause of a task's failures when it ended. */
export interface TopFailure {
  readonly cause: string;
  readonly count: number;
}

export interface BulkTaskRow extends ActionCounts {
  id: string;
  status: BulkTaskStatus;
  kind: BulkTaskKind;
  /** The task it retries or undoes, or plans to undo; for a run, the plan it follows. */
  ofTask: string | null;
  /** The newest undo of this task, whether or not it has ended. */
  undoneBy: string | null;
  key: string;
  createdAt: string;
  /** The name of the access token that created it, or `operator`. */
  createdBy: string;
  /** For the plan of a file: the id of the access token or person with the role `planner` that created it. */
  plannerId: string | null;
  /** For the plan of a file: its newest run that has not ended without an operation. */
  followedBy: string | null;
  startedAt: string | null;
  validatedAt: string | null;
  runningAt: string | null;
  progressedAt: string | null;
  endedAt: string | null;
  prunedAt: string | null;
  sha256: string | null;
  total: number | null;
  errorCount: number;
  warningCount: number;
  processed: number;
  succeeded: number;
  partial: number;
  failed: number;
  skipped: number;
  /** For a retry: the number of operations it executes. */
  toExecute: number | null;
  /** Failed and partial operations that have since succeeded in a retry, unless that was undone. */
  repaired: number;
  topFailure: TopFailure | null;
  include: RetriedOutcome[] | null;
  maxFailures: number | null;
  strict: boolean;
  appliedAs: string | null;
  startAt: string | null;
  onFailure: OnFailure | null;
  error: string | null;
  errorName: string | null;
  stack: string | null;
  /** For a plan that would remove something. */
  destructive: DestructiveChanges | null;
  owner: string | null;
  heldAt: string | null;
  heldBecause: HeldBecause | null;
  holdAfter: number | null;
  holdOnFailures: number | null;
  /** The tenant's other task that is in turn while this one is `started`; `true` if that one is held. */
  ahead: string | null;
  aheadIsHeld: boolean | null;
  /** True for a plan of a planner behind an admin's. */
  aheadIsLater: boolean | null;
}

/**
 * Selects bulk tasks of the tenant `$1` as `BulkTaskRow`; the table's alias is `t`. OFFSET 0 makes it one look-up per
 * row of the task ahead: the planner takes a tenant for a small one, and would read all of its tasks.
 */
export const selectBulkTasks = `
  SELECT t.id, t.status, t.kind, t.of_task AS "ofTask",
    t.last_undo AS "undoneBy", t.key, t.created_at AS "createdAt", t.created_by AS "createdBy",
    t.planner_id AS "plannerId", CASE WHEN t.kind = 'plan' AND t.of_task IS NULL THEN t.last_run END AS "followedBy",
    t.started_at AS "startedAt",
    t.validated_at AS "validatedAt", t.running_at AS "runningAt", t.progressed_at AS "progressedAt",
    t.ended_at AS "endedAt", t.pruned_at AS "prunedAt", t.sha256, t.total, t.error_count AS "errorCount",
    t.warning_count AS "warningCount", t.cursor_index AS processed, t.succeeded, t.partial, t.failed, t.skipped,
    t.to_execute AS "toExecute", t.repaired, t.top_failure AS "topFailure", t.include,
    ${actions.map((action) => `t.${action}`).join(", ")}, t.max_failures AS "maxFailures", t.strict,
    t.applied_as AS "appliedAs", t.start_at AS "startAt", t.on_failure AS "onFailure", t.error,
    t.error_name AS "errorName", t.stack, t.destructive, t.owner,
    CASE WHEN t.ended_at IS NULL THEN t.held_at END AS "heldAt", t.held_because AS "heldBecause",
    t.hold_after AS "holdAfter", t.hold_on_failures AS "holdOnFailures",
    a.id AS ahead, a.held_at IS NOT NULL AS "aheadIsHeld", a.start_order > t.start_order AS "aheadIsLater"
  FROM bulk_tasks t LEFT JOIN LATERAL (SELECT * FROM bulk_tasks a WHERE a.tenant_id = $1
    AND a.id = CASE WHEN t.status = 'started' THEN nullif(${taskInTurn("t", "$1")}, t.id) END OFFSET 0) a ON true`;

/** The tenant's tasks with these ids, unordered. */
export function findTaskRows(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<BulkTaskRow[]> {
  const select = `${selectBulkTasks} WHERE t.tenant_id = $1 AND t.id = ANY($2::text[])`;
  return queries.query<BulkTaskRow>(select, [tenantId, ids]);
}

/** The lists of the overview; the column `view` says which one a task is in. */
export const bulkTaskViews = ["running", "held", "openFailures", "planned"] as const;

export type BulkTaskView = (typeof bulkTaskViews)[number];

/** Narrows a list of tasks. Without a kind or view, plans are excluded. */
export interface TaskFilter {
  status?: BulkTaskStatus | null | undefined;
  kind?: BulkTaskKind | null | undefined;
  /** True: only tasks that are held; false: only others. */
  held?: boolean | null | undefined;
  view?: BulkTaskView | null | undefined;
  /** Part of the file's name or of `createdBy`, or the beginning of the id; ignores case. */
  text?: string | null | undefined;
  /** Times in milliseconds since 1970, from `createdFrom` to just before `createdBefore`. */
  createdFrom?: number | null | undefined;
  createdBefore?: number | null | undefined;
}

/** The newest tasks among which a text is looked for: of the tenant, before `createdBefore`. */
export const searchedTasks = 10_000;

/** More than the clocks of a process, which makes ids, and of the database, which says when, differ. */
const clocksDiffer = 3_600_000;

/** Conditions on tasks `t` of tenant $1, whose parameters `given` numbers. */
function taskConditions(filter: TaskFilter, given: (value: Parameter) => string): string[] {
  const conditions = ["t.tenant_id = $1"];
  const { status, kind, held, view, text, createdFrom, createdBefore } = filter;
  const has = <Value>(value: Value | null | undefined): value is Value =>
    value !== null && value !== undefined;
  if (has(status)) conditions.push(`t.status = ${given(status)}`);
  if (has(kind)) conditions.push(`t.kind = ${given(kind)}`);
  else if (!has(view)) conditions.push("t.kind <> 'plan'");
  if (has(view)) conditions.push(`t.view = ${given(view)}`);
  if (has(held)) conditions.push(held ? "t.view = 'held'" : "t.view IS DISTINCT FROM 'held'");
  const time = (milliseconds: number) => `${given(new Date(milliseconds).toISOString())}::timestamptz`;
  // Ids begin with the time: the primary key finds them.
  if (has(createdFrom))
    conditions.push(
      `t.created_at >= ${time(createdFrom)}`,
      `t.id >= ${given(firstIdAt(createdFrom - clocksDiffer))}`,
    );
  const before = has(createdBefore) ? given(firstIdAt(createdBefore + clocksDiffer)) : undefined;
  if (has(createdBefore)) conditions.push(`t.created_at < ${time(createdBefore)}`, `t.id < ${before}`);
  if (has(text)) conditions.push(...textConditions(given(text), before));
  return conditions;
}

/** Conditions for tasks that have a text, among the newest before an id. */
const textConditions = (text: string, before: string | undefined) => [
  `t.id >= coalesce((SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = $1 ${before ? `AND r.id < ${before}` : ""}
    ORDER BY r.id DESC OFFSET ${searchedTasks - 1} LIMIT 1), '')`,
  `(starts_with(t.id, lower(${text})) OR strpos(lower(t.created_by), lower(${text})) > 0
    OR strpos(lower(substring(t.key FROM '[^/]*$')), lower(${text})) > 0)`,
];

/** The tenant's tasks, newest first. */
export async function listTaskRows(
  queries: Queries,
  tenantId: string,
  filter: TaskFilter,
  { first, after }: PageRequest,
): Promise<Page<BulkTaskRow>> {
  const parameters: Parameter[] = [tenantId];
  const conditions = taskConditions(filter, (value) => `$${parameters.push(value)}`).join(" AND ");
  const last = parameters.length;
  const rows = await queries.query<BulkTaskRow>(
    `${selectBulkTasks} WHERE ${conditions} AND ($${last + 1}::text IS NULL OR t.id < $${last + 1})
     ORDER BY t.id DESC LIMIT ${pageLimit(first)}`,
    [...parameters, idCursor(after)],
  );
  return page(rows, first, {
    cursor: (row) => row.id,
    node: (row) => row,
    totalCount: async () => {
      const [{ count } = { count: 0 }] = await queries.query<{ count: number }>(
        `SELECT count(*) FROM bulk_tasks t WHERE ${conditions}`,
        parameters,
      );
      return count;
    },
  });
}

/** The request that created a task with an idempotency key. */
export interface FirstRequest {
  id: string;
  /** The task to retry or undo, or the plan to follow; the outcomes to include. */
  ofTask: string | null;
  include: RetriedOutcome[] | null;
  key: string;
  etag: string;
  /** SHA-256 of the file; null until it has been read. */
  sha256: string | null;
  maxFailures: number | null;
  strict: boolean;
  autoStart: boolean;
  holdAfter: number | null;
  holdOnFailures: number | null;
  webhookUrl: string | null;
  appliedAs: string | null;
  startAt: string | null;
  picturesSha256: string | null;
  onFailure: OnFailure | null;
  plannerId: string | null;
}

/** The request that created the tenant's task of this kind with this idempotency key, or undefined. */
export async function findFirstRequest(
  queries: Queries,
  tenantId: string,
  kind: BulkTaskKind,
  idempotencyKey: string,
): Promise<FirstRequest | undefined> {
  const [row] = await queries.query<FirstRequest>(
    `SELECT id, of_task AS "ofTask", include, key, etag, sha256, max_failures AS "maxFailures", strict,
       hold_after AS "holdAfter", hold_on_failures AS "holdOnFailures",
       webhook_url AS "webhookUrl", applied_as AS "appliedAs", pictures_sha256 AS "picturesSha256",
       auto_start AS "autoStart", requested_start_at AS "startAt", on_failure AS "onFailure", planner_id AS "plannerId"
     FROM bulk_tasks WHERE tenant_id = $1 AND kind = $2 AND idempotency_key = $3`,
    [tenantId, kind, idempotencyKey],
  );
  return row;
}

/** The uploaded file of a task, at the time the task was created. */
export interface TaskFile {
  readonly key: string;
  readonly etag: string;
  /** When the log and the file were removed; the file stays while another task uses it. */
  readonly prunedAt: string | null;
}

/** The file of the task with this id; undefined if there is no such task. */
export async function findTaskFile(
  queries: Queries,
  tenantId: string,
  id: string,
): Promise<TaskFile | undefined> {
  const [file] = await queries.query<TaskFile>(
    'SELECT key, etag, pruned_at AS "prunedAt" FROM bulk_tasks WHERE tenant_id = $1 AND id = $2',
    [tenantId, id],
  );
  return file;
}
