import { actions } from "@lading/schema/internal";
import type { EndedTask } from "../storage/webhooks/events.ts";

/** The id of a task's event. A task has at most one, so the id is the same in every try. */
export const eventId = (taskId: string): string => `evt_${taskId}`;

/**
 * The body of an event: ids, kind, status and counters, and no data of the tenant. All of it is fixed when a task ends,
 * so every try sends the same.
 */
export function eventBody(task: EndedTask): string {
  const { tenantId, taskId, kind, ofTask, status, errorName, createdAt, endedAt } = task;
  const { total, processed, succeeded, partial, failed, skipped, errorCount, warningCount } = task;
  const counts = Object.fromEntries(actions.map((action) => [action, task[action]]));
  const progress = { total, processed, succeeded, partial, failed, skipped, ...counts };
  const data = { tenantId, taskId, kind, ofTask, status, errorName, createdAt, endedAt, progress };
  const { undo, allEndedAt } = task;
  return JSON.stringify({
    type: "bulkTask.ended",
    timestamp: allEndedAt,
    data: { ...data, errorCount, warningCount, ...(undo && { undo }) },
  });
}
