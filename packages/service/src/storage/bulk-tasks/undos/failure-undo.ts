import type { Queries } from "../../database.ts";
import { newId } from "../../ids.ts";
import { insertAuditEntry } from "../../tenants/audit-trail.ts";
import type { Claim } from "../claims/claimed-task.ts";
import { drawPlaces } from "../start.ts";
import { insertUndo } from "./undo-rows.ts";

const find = `
  SELECT b.created_by AS "createdBy", t.identifier FROM bulk_tasks b JOIN tenants t ON t.id = b.tenant_id
  WHERE b.tenant_id = $1 AND b.id = $2 AND b.cursor_index > 0`;

const note = "UPDATE bulk_tasks SET failure_undo = $3 WHERE tenant_id = $1 AND id = $2";

/** Gives the undo the turn of the tenant, which no other task can take between: one task is `running` at a time. */
const begin = `
  UPDATE bulk_tasks SET status = 'running', started_at = now(), start_order = $3
  WHERE tenant_id = $1 AND id = $2`;

/**
 * Runs `end`, which ends a task in `error`, and begins its undo, if it has executed anything. Call it in a transaction
 * that holds the claim and the tenant.
 */
export async function endThenUndo(
  transaction: Queries,
  { tenantId, taskId }: Claim,
  end: () => Promise<void>,
): Promise<void> {
  const [task] = await transaction.query<{ createdBy: string; identifier: string }>(find, [tenantId, taskId]);
  if (task === undefined) return end();
  const id = newId();
  await insertUndo(transaction, {
    ...{ tenantId, id, kind: "undo", ofTask: taskId, createdBy: task.createdBy, autoStart: true },
    ...{ maxFailures: null, holdAfter: null, holdOnFailures: null, idempotencyKey: null },
  });
  await transaction.execute(note, [tenantId, taskId, id]);
  await end();
  await transaction.execute(begin, [tenantId, id, ...(await drawPlaces(transaction))]);
  await insertAuditEntry(transaction, {
    tenant: { id: tenantId, identifier: task.identifier },
    actor: { type: "task", id: taskId },
    ...{ action: "bulkTask.undone", subjectId: id, details: { task: taskId } },
  });
}
