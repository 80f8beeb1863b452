import type { TokenRole } from "@lading/schema/internal";
import { reject, TenantGone } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { sharedLock } from "../storage/tenant-locks.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import { deleteGroupRole, type GroupRole, putGroupRole } from "../storage/tenants/group-roles.ts";
import { audit } from "./audit.ts";

export const groupLimits = {
  /** Characters of a group's name. */
  length: 256,
  /** Groups with a role in a tenant. */
  ofTenant: 100,
} as const;

/** True for a text that can be the name of a group: PostgreSQL rejects some. */
export const isGroupName = (text: string): boolean =>
  text.trim() !== "" && text.length <= groupLimits.length && !text.includes("\0") && text.isWellFormed();

interface TenantKey {
  id: string;
  identifier: string;
}

/**
 * Gives the members of a group a role in a tenant, in place of the one they had. Rejects with `ValidationError` an
 * invalid name, or more groups than a tenant may have.
 */
export async function mapGroup(
  database: Database,
  tenant: TenantKey,
  { group, role }: { group: string; role: TokenRole },
  actor: Actor,
): Promise<GroupRole> {
  if (!isGroupName(group))
    reject("ValidationError", `The name of a group has 1 to ${groupLimits.length} characters`, ["group"]);
  await retriedTransaction(
    database,
    async (transaction) => {
      const groups = await putGroupRole(transaction, tenant.id, { group, role });
      if (groups === undefined) throw new TenantGone();
      if (groups > groupLimits.ofTenant)
        reject("ValidationError", `A tenant has at most ${groupLimits.ofTenant} groups`, ["group"]);
      const details = { group, role };
      await audit(transaction, { tenant, actor, action: "group.mapped", subjectId: tenant.id, details });
    },
    undefined,
    { own: `groups ${tenant.id}`, ...sharedLock(tenant.id) },
  );
  return { group, tenantIdentifier: tenant.identifier, role };
}

/** Takes a group's role in a tenant away, immediately. Rejects with `GroupNotMappedError`. */
export async function unmapGroup(
  database: Database,
  tenant: TenantKey,
  group: string,
  actor: Actor,
): Promise<GroupRole> {
  const gone = () =>
    reject("GroupNotMappedError", `The group "${group}" has no role in the tenant "${tenant.identifier}"`, [
      "group",
    ]);
  return retriedTransaction(
    database,
    async (transaction) => {
      const role = isGroupName(group) ? await deleteGroupRole(transaction, tenant.id, group) : undefined;
      if (role === undefined) return gone();
      const details = { group, role };
      await audit(transaction, { tenant, actor, action: "group.unmapped", subjectId: tenant.id, details });
      return { group, tenantIdentifier: tenant.identifier, role };
    },
    undefined,
    sharedLock(tenant.id),
  );
}
