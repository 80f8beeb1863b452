import type { Queries } from "../storage/database.ts";
import { type Actor, insertAuditEntry } from "../storage/tenants/audit-trail.ts";

export const operator: Actor = { type: "operator" };

/** Every action of the audit trail, with its meaning; `subjectId` is the id of the object of the action. */
export const auditActions = {
  "tenant.created": "A tenant was created.",
  "tenant.updated": "A tenant's name or limits were changed; the details have the new values.",
  "tenant.deleted": "A tenant was deleted with all that it had.",
  "accessToken.created": "An access token was created; the details have its name, role and expiry.",
  "accessToken.revoked": "An access token was revoked; the details have its name and role.",
  "setting.created": "A setting was added, such as a price variant; the subject is its list and key.",
  "setting.updated": "A setting was changed.",
  "setting.deleted": "A setting was deleted.",
  "bulkTask.created": "A bulk task was created; the details have the key of its file.",
  "bulkTask.started": "A bulk task was started.",
  "bulkTask.cancelled": "A bulk task was cancelled.",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof auditActions;

export interface AuditEntry extends Auditor {
  action: AuditAction;
  subjectId: string;
  details?: object;
}

/** The tenant and the actor of the entries that a request writes. */
export interface Auditor {
  tenant: { id: string; identifier: string };
  actor: Actor;
}

/** Records an action. Call it in the transaction of the action, so that neither is stored without the other. */
export const audit = (transaction: Queries, entry: AuditEntry): Promise<void> =>
  insertAuditEntry(transaction, entry);
