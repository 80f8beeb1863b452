import type { Queries } from "../database.ts";
import { heldTenant } from "../tenants/find.ts";
import type { Claim } from "./claims/claimed-task.ts";

/** A task's progress, with what it has executed since its operations were last added to an hour. */
export interface Progress {
  /** When it last progressed; null: not yet. */
  readonly progressedAt: string | null;
  readonly executed: number;
  /** Failed and partial operations of these. */
  readonly unsuccessful: number;
}

/** The progress of a row of `bulk_tasks`; SQL columns. */
export const progress = `
  progressed_at AS "progressedAt", succeeded + partial + failed - hours_executed AS executed,
  partial + failed - hours_failed AS unsuccessful`;

const add = `
  INSERT INTO operation_hours AS h (tenant_id, hour, executed, failed) ${heldTenant("t.id, $2, $3, $4")}
  ON CONFLICT (tenant_id, hour) DO UPDATE SET
    executed = h.executed + excluded.executed, failed = h.failed + excluded.failed`;

const removeOld = "DELETE FROM operation_hours WHERE tenant_id = $1 AND hour < now() - interval '8 days'";

/** Adds what a task executed to the hour in which it last progressed; keeps 8 days. */
export async function addToHour(
  transaction: Queries,
  tenantId: string,
  { progressedAt, executed, unsuccessful }: Progress,
): Promise<void> {
  if (progressedAt === null) return;
  const hour = new Date(hourOf(progressedAt) * msPerHour).toISOString();
  await Promise.all([
    transaction.execute(add, [tenantId, hour, executed, unsuccessful]),
    transaction.execute(removeOld, [tenantId]),
  ]);
}

const noteAdded = `
  UPDATE bulk_tasks SET hours_executed = hours_executed + $3, hours_failed = hours_failed + $4
  WHERE tenant_id = $1 AND id = $2`;

/** As `addToHour`, for a task that continues in another hour. */
export async function closeHour(
  transaction: Queries,
  { tenantId, taskId }: Claim,
  progress: Progress,
): Promise<void> {
  await addToHour(transaction, tenantId, progress);
  await transaction.execute(noteAdded, [tenantId, taskId, progress.executed, progress.unsuccessful]);
}

const msPerHour = 3_600_000;

/** The number of an hour, from the epoch. */
export const hourOf = (time: string): number => Math.floor(Date.parse(time) / msPerHour);
