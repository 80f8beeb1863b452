import { startTime } from "@lading/schema/internal";
import { reject } from "../errors.ts";
import { comparedWithNow, daysAhead, setStartAt } from "../storage/bulk-tasks/dated.ts";
import { wakeRunners } from "../storage/bulk-tasks/wake.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { type Auditor, audit } from "../tenants/audit.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask, taskNotFound } from "./find.ts";
import { refuseTooManyWaiting } from "./start.ts";

/** Reads the date of a request, in UTC. Rejects with `ValidationError` a text without a time zone. */
export function startAtOf(given: string | null | undefined): string | null {
  if (given === null || given === undefined) return null;
  return (
    startTime(given) ??
    reject(
      "ValidationError",
      `startAt is "${given}": it must be a date and time with an offset or Z, such as 2026-12-01T06:00+01:00`,
      ["startAt"],
    )
  );
}

/**
 * Rejects with `ValidationError` a date that has passed or is too far, by the database's clock, and with
 * `TooManyWaitingTasksError` one beyond the tenant's limit. Call it in the transaction that has stored the date.
 */
export async function requireDate(transaction: Queries, tenantId: string, date: string): Promise<void> {
  const { now, isPast, isTooFar } = await comparedWithNow(transaction, date);
  const clock = `by the database's clock it is ${now}`;
  if (isPast)
    reject(
      "ValidationError",
      `startAt is ${date}, which has passed: ${clock}. To start now, call startMassOperationBulkTask, or create the task with autoStart`,
      ["startAt"],
    );
  if (isTooFar)
    reject("ValidationError", `startAt is ${date}: it must be at most ${daysAhead} days ahead; ${clock}`, [
      "startAt",
    ]);
  await refuseTooManyWaiting(transaction, tenantId);
  await wakeRunners(transaction);
}

/**
 * Gives a pending task another date, or none: then it starts on request. Rejects with `ValidationError` as
 * `requireDate` does, `BulkTaskNotFoundError`, `InvalidTaskStateError` when it was already started, or
 * `TooManyWaitingTasksError`.
 */
export async function scheduleTask(
  database: Database,
  tenantId: string,
  { id, startAt: given }: { id: string; startAt: string | null },
  auditor?: Auditor,
): Promise<BulkTask> {
  const startAt = startAtOf(given);
  const scheduled = await retriedTransaction(database, async (transaction) => {
    if (!(await setStartAt(transaction, tenantId, id, startAt))) return false;
    if (startAt !== null) await requireDate(transaction, tenantId, startAt);
    const entry = { action: "bulkTask.scheduled", subjectId: id, details: { startAt } } as const;
    if (auditor) await audit(transaction, { ...auditor, ...entry });
    return true;
  });
  const task = await findTask(database, tenantId, id);
  if (task === undefined) reject("BulkTaskNotFoundError", taskNotFound(id), ["id"]);
  if (!scheduled)
    reject("InvalidTaskStateError", `Bulk task ${id} is ${task.status}: only a pending task has a date`, [
      "id",
    ]);
  return task;
}
