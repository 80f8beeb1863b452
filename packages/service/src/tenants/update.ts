import { reject } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { sharedLock } from "../storage/tenant-locks.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import type { TenantLimit } from "../storage/tenants/settings.ts";
import { type TenantSummary, tenantSummary } from "../storage/tenants/tenants.ts";
import { updateTenantRow } from "../storage/tenants/write.ts";
import { audit } from "./audit.ts";

/** The operator's changes to a tenant; absent and null fields are unchanged. */
export interface TenantChanges {
  name?: string | null;
  /** Largest upload, in bytes. */
  uploadMaxBytes?: number | null;
  /** Lifetime of a presigned upload request, in seconds. */
  uploadLifetimeSeconds?: number | null;
  /** Limit of started tasks that have not ended. */
  maxWaitingTasks?: number | null;
  /** Retention of before-images written by bulk tasks, in days; 0: none are kept. */
  keepBeforeDays?: number | null;
}

/** The range of each limit of a tenant, ends included. */
export const tenantLimitRanges = {
  uploadMaxBytes: [1, 1024 ** 4],
  uploadLifetimeSeconds: [1, 7 * 24 * 3600],
  maxWaitingTasks: [1, 1_000_000],
  keepBeforeDays: [0, 3_650],
} as const satisfies Record<TenantLimit, readonly [number, number]>;

/** Changes a tenant. Rejects with `TenantNotFoundError`, or `ValidationError` for a value out of its range. */
export async function updateTenant(
  database: Database,
  identifier: string,
  input: TenantChanges,
  actor: Actor,
): Promise<TenantSummary> {
  const { name, ...limits } = input;
  const limitChanges = checkedLimits(limits);
  const gone = () => reject("TenantNotFoundError", `There is no tenant "${identifier}"`, ["identifier"]);
  const { id } = (await tenantSummary(database, identifier)) ?? gone();
  const update = async (transaction: Queries) => {
    await updateTenantRow(transaction, id, name ?? null, limitChanges);
    const tenant = (await tenantSummary(transaction, identifier)) ?? gone();
    // The identifier may be that of a newer tenant.
    if (tenant.id !== id) gone();
    await audit(transaction, {
      ...{ tenant, actor, action: "tenant.updated", subjectId: tenant.id },
      details: { ...(typeof name === "string" && { name }), ...limitChanges },
    });
    return tenant;
  };
  return retriedTransaction(database, update, undefined, sharedLock(id));
}

/** Returns the limits that are set. Rejects a value out of its range with `ValidationError`. */
function checkedLimits(limits: { readonly [Name in TenantLimit]?: number | null }): Record<string, number> {
  const checked: Record<string, number> = {};
  let name: TenantLimit;
  for (name in tenantLimitRanges) {
    const value = limits[name];
    if (value === undefined || value === null) continue;
    const [least, most] = tenantLimitRanges[name];
    if (!Number.isInteger(value) || value < least || value > most)
      reject("ValidationError", `${name} is ${value}: it must be a whole number from ${least} to ${most}`, [
        "input",
        name,
      ]);
    checked[name] = value;
  }
  return checked;
}
