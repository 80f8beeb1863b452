import type { BulkTaskKind, BulkTaskStatus } from "@lading/schema/internal";
import type { Queries } from "../../database.ts";

/** A task that a run asks to follow, with the facts that decide whether it can. */
export interface PlanToRun {
  readonly kind: BulkTaskKind;
  /** The task it plans to undo; null for a plan of a file. */
  readonly ofTask: string | null;
  readonly status: BulkTaskStatus;
  /** True once part of its log was removed. */
  readonly isPruned: boolean;
  readonly key: string;
  readonly etag: string;
  /** SHA-256 of the file; null until it has been read. */
  readonly sha256: string | null;
  /** Of its pictures; null without any. */
  readonly picturesSha256: string | null;
  /** An unfinished run that follows it. */
  readonly openRun: string | null;
}

const find = `
  SELECT t.kind, t.of_task AS "ofTask", t.status, t.pruning OR t.pruned_at IS NOT NULL AS "isPruned", t.key, t.etag,
    t.sha256, t.pictures_sha256 AS "picturesSha256", (SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = $1 AND r.of_task = t.id AND r.kind = 'run'
      AND r.ended_at IS NULL AND ($3::text IS NULL OR r.idempotency_key IS DISTINCT FROM $3)) AS "openRun"
  FROM bulk_tasks t WHERE t.tenant_id = $1 AND t.id = $2`;

/** Finds the task that a run asks to follow. Ignores a previous run with the same idempotency key. */
export async function findPlanToRun(
  queries: Queries,
  tenantId: string,
  id: string,
  idempotencyKey: string | null,
): Promise<PlanToRun | undefined> {
  const [plan] = await queries.query<PlanToRun>(find, [tenantId, id, idempotencyKey]);
  return plan;
}

/** Records a run in the row of the plan it follows: conflicts (40001) with pruning the plan. */
export async function noteRun(
  transaction: Queries,
  { tenantId, ofTask, id }: { tenantId: string; ofTask: string; id: string },
): Promise<void> {
  await transaction.execute("UPDATE bulk_tasks SET last_run = $3 WHERE tenant_id = $1 AND id = $2", [
    ...[tenantId, ofTask, id],
  ]);
}
