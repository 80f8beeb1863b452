import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { reject } from "../errors.ts";
import { cancelTasksOfTenant } from "../storage/bulk-tasks/cancel.ts";
import type { Database } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { locksOf } from "../storage/tenant-locks.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import { deleteTenantRows } from "../storage/tenants/tenant-rows.ts";
import { type TenantSummary, tenantSummary } from "../storage/tenants/tenants.ts";
import {
  closedTenants,
  closeTenantRow,
  deleteTenantRow,
  tenantsDeletedSince,
} from "../storage/tenants/write.ts";
import { audit } from "./audit.ts";
import { tenantLimitRanges } from "./update.ts";

export interface DeletionServices {
  readonly database: Database;
  readonly logger: Logger;
  deleteFiles(prefix: string): Promise<void>;
  /** True to stop and leave the rest for later. Default: never. */
  over?: () => boolean;
}

/** Longest time the answer waits for rows and files to be deleted, in milliseconds. */
const maxWaitMs = 20_000;

/**
 * Deletes a tenant. After the first commit the tenant is gone for every reader, its name is free, and nothing more is
 * committed for it; then its rows and files are deleted in batches. Work that takes longer than `maxWaitMs` continues
 * after the answer, and `finishDeletions` finishes what a process left behind. Rejects with `TenantNotFoundError`.
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
  await Promise.race([removed, setTimeout(maxWaitMs, undefined, { ref: false })]);
  return tenant;
}

/** Waits for the tenant's writers; later ones, and those that have read before, fail (see `tenantToWriteFor`). */
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
    locksOf("exclusive", tenant.id),
  );
  return tenant;
}

/** Removes a closed tenant's rows and files, and its own row last. Can be interrupted and repeated. */
async function removeTenant(
  { database, deleteFiles, over = () => false }: DeletionServices,
  tenantId: string,
): Promise<void> {
  // Outside any transaction: waits for task runners instead of conflicting with them.
  await cancelTasksOfTenant(database, tenantId);
  if (!(await deleteTenantRows(database, tenantId, over))) return;
  await deleteFiles(filesOf(tenantId));
  await deleteTenantRow(database, tenantId);
}

const filesOf = (tenantId: string) => `${tenantId}/`;

/** Time after a deletion in which an upload form may still put a file into a bucket: a form's lifetime and an hour. */
const formsLiveMs = tenantLimitRanges.uploadLifetimeSeconds[1] * 1_000 + 3_600_000;

/**
 * Resumes unfinished deletions, and deletes files that arrived after a deletion: by a form that was signed before and
 * that a bucket takes without asking the service.
 */
export async function finishDeletions(services: DeletionServices): Promise<void> {
  const { database, over = () => false } = services;
  for (const id of await closedTenants(database)) if (!over()) await removeTenant(services, id);
  const late = await tenantsDeletedSince(database, Date.now() - formsLiveMs);
  for (const id of late) if (!over()) await services.deleteFiles(filesOf(id));
}
