import { type Action, actions } from "@lading/schema";
import type { Queries } from "../database.ts";
import { idCursor, type Page, type PageRequest, page } from "../pages/page.ts";
import { taskInTurn } from "./claimable.ts";
import type { BulkTaskStatus } from "./status.ts";

/** The number of operations by action; null for a task that ended before this was counted. */
export type ActionCounts = Record<Action, number | null>;

/** A bulk task as it is stored. */
export interface BulkTaskRow extends ActionCounts {
  id: string;
  status: BulkTaskStatus;
  key: string;
  createdAt: string;
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
  maxFailures: number | null;
  strict: boolean;
  error: string | null;
  errorName: string | null;
  stack: string | null;
  owner: string | null;
  /** The other task of the same tenant whose turn it is, while this one is `started`. */
  ahead: string | null;
}

/** Selects bulk tasks as `BulkTaskRow`; the table is `t`. */
const selectBulkTasks = `
  SELECT t.id, t.status, t.key, t.created_at AS "createdAt", t.started_at AS "startedAt",
    t.validated_at AS "validatedAt", t.running_at AS "runningAt", t.progressed_at AS "progressedAt",
    t.ended_at AS "endedAt", t.pruned_at AS "prunedAt", t.sha256, t.total, t.error_count AS "errorCount",
    t.warning_count AS "warningCount", t.cursor_index AS processed, t.succeeded, t.partial, t.failed,
    ${actions.map((action) => `t.${action}`).join(", ")}, t.max_failures AS "maxFailures", t.strict, t.error,
    t.error_name AS "errorName", t.stack, t.owner,
    CASE WHEN t.status = 'started' THEN nullif(${taskInTurn("t.tenant_id")}, t.id) END AS ahead
  FROM bulk_tasks t`;

/** The task with this id, or undefined. */
export async function findTaskRow(
  queries: Queries,
  tenantId: string,
  id: string,
): Promise<BulkTaskRow | undefined> {
  const [row] = await findTaskRows(queries, tenantId, [id]);
  return row;
}

/** The tenant's tasks with these ids, in no order. */
export function findTaskRows(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<BulkTaskRow[]> {
  const select = `${selectBulkTasks} WHERE t.tenant_id = $1 AND t.id = ANY($2::text[])`;
  return queries.query<BulkTaskRow>(select, [tenantId, ids]);
}

/** The tenant's tasks, newest first. */
export async function listTaskRows(
  queries: Queries,
  tenantId: string,
  filter: { status?: BulkTaskStatus | null },
  { first, after }: PageRequest,
): Promise<Page<BulkTaskRow>> {
  const conditions = "t.tenant_id = $1 AND ($2::text IS NULL OR t.status = $2)";
  const parameters = [tenantId, filter.status ?? null];
  const rows = await queries.query<BulkTaskRow>(
    `${selectBulkTasks} WHERE ${conditions} AND ($3::text IS NULL OR t.id < $3) ORDER BY t.id DESC LIMIT $4`,
    [...parameters, idCursor(after), first + 1],
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

/** The request that created a task under an idempotency key. */
export interface FirstRequest {
  id: string;
  key: string;
  etag: string;
  /** SHA-256 of the file; null until it has been read. */
  sha256: string | null;
  maxFailures: number | null;
  strict: boolean;
  /** Null when unknown: the task was created before this was stored, and has been started since. */
  autoStart: boolean | null;
}

/** The request that created a task of the tenant under this idempotency key, or undefined. */
export async function findFirstRequest(
  queries: Queries,
  tenantId: string,
  idempotencyKey: string,
): Promise<FirstRequest | undefined> {
  const [row] = await queries.query<FirstRequest>(
    `SELECT id, key, etag, sha256, max_failures AS "maxFailures", strict,
       coalesce(auto_start, CASE WHEN status = 'pending' THEN false END) AS "autoStart"
     FROM bulk_tasks WHERE tenant_id = $1 AND idempotency_key = $2`,
    [tenantId, idempotencyKey],
  );
  return row;
}
