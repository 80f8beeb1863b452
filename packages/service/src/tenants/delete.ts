import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { reject } from "../errors.ts";
import { cancelTasksOfTenant } from "../storage/bulk-tasks/cancel.ts";
import type { Database } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import { deleteTenantRows } from "../storage/tenants/tenant-rows.ts";
import { type TenantSummary, tenantSummary } from "../storage/tenants/tenants.ts";
import {
  closedTenants,
  closeTenantRow,
  deleteTenantRow,
  tenantsDeletedSince,
} from "../storage/tenants/write.ts";
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
  await retriedTransaction(
    database,
    async (transaction) => {
      if (!(await closeTenantRow(transaction, tenant.id))) gone();
      const details = { name: tenant.name };
      await audit(transaction, { tenant, actor, action: "tenant.deleted", subjectId: tenant.id, details });
    },
    undefined,
    turnOf("alone", tenant.id),
  );
  return tenant;
}

/** Removes what a closed tenant had: rows, files, and its own row last. Can be broken off and done again. */
async function removeTenant(
  { database, deleteFiles, over = () => false }: DeletionServices,
  tenantId: string,
): Promise<void> {
  // Outside of any transaction: it waits for who has a task, instead of meeting conflicts.
  await cancelTasksOfTenant(database, tenantId);
  if (!(await deleteTenantRows(database, tenantId, over))) return;
  await deleteFiles(filesOf(tenantId));
  await deleteTenantRow(database, tenantId);
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
  for (const id of await closedTenants(database)) if (!over()) await removeTenant(services, id);
  const late = await tenantsDeletedSince(database, Date.now() - formsLiveMs);
  for (const id of late) if (!over()) await services.deleteFiles(filesOf(id));
}
