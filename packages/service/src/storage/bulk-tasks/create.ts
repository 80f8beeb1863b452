import type { BulkTaskKind } from "@lading/schema/internal";
import type { Queries } from "../database.ts";
import { copyTaskPictures } from "../task-details/pictures.ts";
import { heldTenant } from "../tenants/find.ts";
import { columnName } from "../unit-of-work/collection.ts";
import type { OnFailure } from "./claims/claimed-task.ts";
import type { RetriedOutcome } from "./retries/retry-chain.ts";

/** Each property is a column. */
export interface NewTaskRow {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: BulkTaskKind;
  /** The plan a run follows. */
  readonly ofTask: string | null;
  readonly key: string;
  readonly etag: string;
  readonly maxFailures: number | null;
  readonly holdAfter: number | null;
  readonly holdOnFailures: number | null;
  readonly strict: boolean;
  readonly autoStart: boolean;
  readonly idempotencyKey: string | null;
  readonly webhookUrl: string | null;
  readonly createdBy: string;
  /** The access token with the role `planner` that created it. */
  readonly plannerId: string | null;
  readonly appliedAs: string | null;
  readonly onFailure: OnFailure | null;
  /** When it starts, as asked for by the request that creates it. */
  readonly startAt: string | null;
  readonly requestedStartAt: string | null;
  readonly picturesSha256: string | null;
}

/** A retry to store: a pending task with another task's file. */
export interface NewRetryRow
  extends Omit<
    NewTaskRow,
    | "kind"
    | "plannerId"
    | "ofTask"
    | "key"
    | "etag"
    | "strict"
    | "webhookUrl"
    | "appliedAs"
    | "onFailure"
    | "startAt"
    | "requestedStartAt"
    | "picturesSha256"
  > {
  readonly ofTask: string;
  readonly include: readonly RetriedOutcome[];
  readonly toExecute: number;
}

/** The columns copied to a retry: the file, the results of its validation, the webhook, and whether it has pictures. */
const copied =
  "key, etag, strict, file_version, sha256, total, reference_names, stretch_hashes, webhook_url, pictures_sha256";

/**
 * Stores a pending retry, and records it in the tasks before it, so that they are not pruned until it has ended. Its
 * run follows its plan again, unless an open or a newer one does: conflicts (40001) with the end of another run or
 * retry of the plan. Result lifetimes are read from the run. Call it in a transaction that holds the tenant and has
 * read the tasks.
 */
export async function insertRetry(
  transaction: Queries,
  { tenantId, ofTask, ...retry }: NewRetryRow,
  earlier: readonly string[],
): Promise<void> {
  const columns = Object.keys(retry).map(columnName);
  const values = columns.map((_, i) => `$${i + 3}`);
  await transaction.execute(
    `INSERT INTO bulk_tasks (tenant_id, of_task, type, status, kind, validated_at, ${copied}, ${columns.join(", ")})
     SELECT tenant_id, id, type, 'pending', 'retry', now(), ${copied}, ${values.join(", ")}
     FROM bulk_tasks WHERE tenant_id = $1 AND id = $2`,
    [tenantId, ofTask, ...Object.values(retry)],
  );
  await copyTaskPictures(transaction, { tenantId, taskId: retry.id }, ofTask);
  await transaction.execute(
    `WITH retried AS (
       UPDATE bulk_tasks SET last_retry = $3 WHERE tenant_id = $1 AND id = ANY($2::text[]) RETURNING id, kind, of_task
     )
     UPDATE bulk_tasks p SET last_run = CASE
       WHEN EXISTS (SELECT FROM bulk_tasks o WHERE o.tenant_id = $1 AND o.id = p.last_run AND o.ended_at IS NULL)
       THEN p.last_run ELSE greatest(p.last_run, r.id) END
     FROM retried r
     WHERE p.tenant_id = $1 AND p.id = r.of_task AND p.kind = 'plan' AND r.kind = 'run'`,
    [tenantId, earlier, retry.id],
  );
}

/** Stores a pending task; returns false when its tenant was deleted. */
export async function insertTask(transaction: Queries, { tenantId, ...task }: NewTaskRow): Promise<boolean> {
  const columns = Object.keys(task).map(columnName);
  const values = columns.map((_, i) => `$${i + 2}`);
  const created = await transaction.execute(
    `INSERT INTO bulk_tasks (tenant_id, type, status, ${columns.join(", ")})
     ${heldTenant(`t.id, 'massOperation', 'pending', ${values.join(", ")}`)}`,
    [tenantId, ...Object.values(task)],
  );
  return created > 0;
}
