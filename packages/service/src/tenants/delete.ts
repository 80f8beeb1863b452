import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { reject } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { firstIdAt } from "../storage/ids.ts";
import { retriedTransaction } from "../storage/retried-transaction.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import { deleteTenantRows } from "../storage/tenants/tenant-rows.ts";
import { type TenantSummary, tenantSummary } from "../storage/tenants/tenants.ts";
import { turnOf } from "../storage/turns.ts";
import { audit } from "./audit.ts";
import { tenantLimitRanges } from "./update.ts";

/** What deletions work with. */
export interface DeletionServices {
  readonly database: Database;
  readonly logger: Logger;
  /** Deletes every file whose key begins with this. */
  deleteFiles(prefix: string): Promise<void>;
  /** Whether to leave the rest for another time. Default: never. */
  over?: () => boolean;
}

/** How long the answer waits for the rows and files of a tenant, in milliseconds. */
const patience = 20_000;

/**
 * Deletes a tenant. From its first commit on everything answers as if it were gone, its name is free, and nobody commits
 * anything for it; then what it had is deleted, in portions. What takes longer than `patience` goes on behind the answer,
 * and what a process leaves undone is done by `finishDeletions`. Rejects with `TenantNotFoundError`.
 */
export async function deleteTenant(
  services: DeletionServices,
  identifier: string,
  actor: Actor,
): Promise<TenantSummary> {
  const tenant = await closeTenant(services.database, identifier, actor);
  const removed = removeTenant(services, tenant.id).catch((error) =>
    services.logger.warn({ err: error, tenant: tenant.id }, "a deleted tenant's data is removed later"),
  );
  await Promise.race([removed, setTimeout(patience, undefined, { ref: false })]);
  return tenant;
}

/** Waits for who writes for the tenant; who comes later, or has read before, finds it gone (see `tenantToWriteFor`). */
async function closeTenant(database: Database, identifier: string, actor: Actor): Promise<TenantSummary> {
  const gone = () => reject("TenantNotFoundError", `There is no tenant "${identifier}"`, ["identifier"]);
  const tenant = (await tenantSummary(database, identifier)) ?? gone();
  const close = "UPDATE tenants SET identifier = NULL WHERE id = $1 AND identifier IS NOT NULL";
  await retriedTransaction(
    database,
    async (transaction) => {
      if ((await transaction.execute(close, [tenant.id])) === 0) gone();
      await transaction.execute("DELETE FROM access_tokens WHERE tenant_id = $1", [tenant.id]);
      const details = { name: tenant.name };
      await audit(transaction, { tenant, actor, action: "tenant.deleted", subjectId: tenant.id, details });
    },
    undefined,
    turnOf("alone", tenant.id),
  );
  return tenant;
}

/** Takes the tasks of a closed tenant from their runners, which can commit nothing for them after that. */
const endTasks = `
  UPDATE bulk_tasks SET status = 'error', ended_at = now(), owner = NULL, lease_until = NULL, epoch = epoch + 1,
    start_order = coalesce(start_order, nextval('bulk_task_start_order')),
    error_name = 'Cancelled', error = 'The tenant was deleted'
  WHERE tenant_id = $1 AND status IN ('pending', 'started', 'running')`;

/** Removes what a closed tenant had: rows, files, and its own row last. Can be broken off and done again. */
async function removeTenant(
  { database, deleteFiles, over = () => false }: DeletionServices,
  tenantId: string,
): Promise<void> {
  // Outside of any transaction: it waits for who has a task, instead of meeting conflicts.
  await database.execute(endTasks, [tenantId]);
  if (!(await deleteTenantRows(database, tenantId, over))) return;
  await deleteFiles(filesOf(tenantId));
  await database.execute("DELETE FROM tenants WHERE id = $1 AND identifier IS NULL", [tenantId]);
}

const filesOf = (tenantId: string) => `${tenantId}/`;

/** For so long after a tenant was deleted a form of it may still put a file into a bucket: a form's life and an hour. */
const formsLiveMs = tenantLimitRanges.uploadLifetimeSeconds[1] * 1_000 + 3_600_000;

/**
 * Goes on with the deletions that a process has left undone, and deletes the files that came in after a deletion: by a
 * form that was signed before and that a bucket takes without asking the service.
 */
export async function finishDeletions(services: DeletionServices): Promise<void> {
  const { database, over = () => false } = services;
  const closed = await database.query<{ id: string }>("SELECT id FROM tenants WHERE identifier IS NULL");
  for (const { id } of closed) if (!over()) await removeTenant(services, id);
  const late = await database.query<{ id: string }>(
    `SELECT tenant_id AS id FROM audit_trail a WHERE a.id > $1 AND a.action = 'tenant.deleted'
     AND NOT EXISTS (SELECT FROM tenants t WHERE t.id = a.tenant_id)`,
    [firstIdAt(Date.now() - formsLiveMs)],
  );
  for (const { id } of late) if (!over()) await services.deleteFiles(filesOf(id));
}
