import type { Queries } from "../database.ts";
import { type Page, type PageRequest, page } from "../pages/page.ts";
import { lastRetry, newestUndo } from "./retries/retry-chain.ts";

/**
 * A file that a tenant applied, and the run of it that counts: one that has not ended, else one that is in effect, else
 * the newest.
 */
export interface AppliedFileRow {
  readonly name: string;
  readonly taskId: string;
  /** SHA-256 of the file that counts as applied; null until the run has read it. */
  readonly sha256: string | null;
  /** True when the run did everything, and nothing was undone or retried. */
  readonly isDone: boolean;
  /** True when somebody let the file count as applied, whatever the run did. */
  readonly isAccepted: boolean;
  /** The run, a retry or an undo of it that has not ended. */
  readonly unfinished: string | null;
}

const selectFiles = (condition: string) => `
  SELECT t.applied_as AS name, t.id AS "taskId", coalesce(t.accepted_sha256, t.sha256) AS sha256,
    t.status = 'complete' AND t.failed + t.partial = 0 AND t.undone = 'none' AND t.last_retry IS NULL AS "isDone",
    t.accepted_sha256 IS NOT NULL AS "isAccepted",
    CASE WHEN t.ended_at IS NULL THEN t.id ELSE coalesce(
      CASE WHEN t.last_retry IS NOT NULL THEN ${lastRetry("t", "ended_at IS NULL")} END,
      CASE WHEN t.last_undo IS NOT NULL THEN ${newestUndo("t", "ended_at IS NULL")} END) END AS unfinished
  FROM bulk_tasks t JOIN (
    SELECT DISTINCT ON (applied_as) id FROM bulk_tasks
    WHERE tenant_id = $1 AND ${condition}
    ORDER BY applied_as, ended_at IS NULL DESC, undone <> 'whole' AND succeeded + partial + repaired > 0 DESC, id DESC
    LIMIT $3
  ) n ON n.id = t.id WHERE t.tenant_id = $1 ORDER BY t.applied_as`;

/** The files that the tenant applied, in the order of their names. */
export async function listAppliedRows(
  queries: Queries,
  tenantId: string,
  { first, after }: PageRequest,
): Promise<Page<AppliedFileRow>> {
  const rows = await queries.query<AppliedFileRow>(selectFiles("applied_as > $2"), [
    tenantId,
    after ?? "",
    first + 1,
  ]);
  return page(rows, first, {
    cursor: ({ name }) => name,
    node: (row) => row,
    totalCount: async () => {
      const [{ count } = { count: 0 }] = await queries.query<{ count: number }>(
        "SELECT count(DISTINCT applied_as) FROM bulk_tasks WHERE tenant_id = $1 AND applied_as IS NOT NULL",
        [tenantId],
      );
      return count;
    },
  });
}

/** The file that the tenant applied under this name, or undefined. */
export async function findAppliedRow(
  queries: Queries,
  tenantId: string,
  name: string,
): Promise<AppliedFileRow | undefined> {
  const [row] = await queries.query<AppliedFileRow>(selectFiles("applied_as = $2"), [tenantId, name, 1]);
  return row;
}

/**
 * Writes the row of a run as it is, so that a retry or an undo of it that is created at the same time fails with a
 * conflict (40001), or the caller does.
 */
export async function touchRun(queries: Queries, tenantId: string, taskId: string): Promise<void> {
  await queries.execute(
    "UPDATE bulk_tasks SET accepted_sha256 = accepted_sha256 WHERE tenant_id = $1 AND id = $2",
    [tenantId, taskId],
  );
}

/** Stores the SHA-256 of a file, which from now on counts as the one that the run applied. */
export async function storeAccepted(
  queries: Queries,
  tenantId: string,
  taskId: string,
  sha256: string,
): Promise<void> {
  await queries.execute("UPDATE bulk_tasks SET accepted_sha256 = $3 WHERE tenant_id = $1 AND id = $2", [
    tenantId,
    taskId,
    sha256,
  ]);
}

export interface Effects {
  /** The tasks that are not undone as a whole and in which operations succeeded, at least in part. */
  readonly effective: readonly string[];
  /** Failed and partial operations that no retry has executed successfully since; undone retries do not count. */
  readonly failures: number;
}

/** Counts what the tasks with these ids, a run and its retries, did. */
export async function effectsOf(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Effects> {
  const [effects] = await queries.query<Effects>(
    `SELECT coalesce(array_agg(id) FILTER (WHERE succeeded + partial > 0 AND undone <> 'whole'), '{}')
         AS effective,
       coalesce(sum(failed + partial - repaired) FILTER (WHERE kind <> 'retry' OR undone = 'none'), 0)::int AS failures
     FROM bulk_tasks WHERE tenant_id = $1 AND id = ANY($2::text[])`,
    [tenantId, ids],
  );
  return effects ?? { effective: [], failures: 0 };
}
