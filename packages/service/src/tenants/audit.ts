import { auditTrail } from "../storage/collections/audit-trail.ts";
import type { Queries } from "../storage/database.ts";
import type { AccessToken } from "../storage/tenants/access-tokens.ts";
import { type Actor, auditRow, insertAuditEntry } from "../storage/tenants/audit-trail.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";

export const operator: Actor = { type: "operator" };

/** All actions of the audit trail, with their meanings; `subjectId` is the id of the action's object. */
export const auditActions = {
  "tenant.created": "A tenant was created.",
  "tenant.updated": "A tenant's name or limits were changed; the details have the new values.",
  "tenant.deleted": "A tenant was deleted with all that it had.",
  "accessToken.created": "An access token was created; the details have its name, role and expiry.",
  "accessToken.revoked": "An access token was revoked; the details have its name and role.",
  "session.opened":
    "A session of the console was opened with an access token, a one-time code, or by a person at the identity provider; the details say which, and until when.",
  "session.ended":
    "A session was ended by its user, by newer sessions of the same access token or person, or by the identity provider.",
  "group.mapped":
    "A group of the identity provider got a role in the tenant; the details have the group and the role.",
  "group.unmapped": "A group lost its role in the tenant; the details have both.",
  "setting.created": "A setting was added, such as a price variant; the subject is its list and key.",
  "setting.updated": "A setting was changed.",
  "setting.deleted": "A setting was deleted.",
  "webhook.set": "The webhook was set; the details have the origin of its address.",
  "webhook.rotated":
    "The webhook got a new secret; the details say for how many hours the one before signs too.",
  "webhook.removed": "The webhook was removed.",
  "bulkTask.created":
    "A bulk task was created; the details have the key of its file, or the task that it plans to undo.",
  "bulkTask.retried":
    "A retry of a bulk task was created; the subject is the retry, the details have the task.",
  "bulkTask.undone":
    "An undo of a bulk task was created; the subject is the undo, the details have the task.",
  "bulkTask.started": "A bulk task was started.",
  "bulkTask.scheduled": "A pending bulk task got another date, or none; the details have it.",
  "bulkTask.cancelled": "A bulk task was cancelled.",
  "bulkTask.held": "A bulk task was held by a request.",
  "bulkTask.resumed": "A held bulk task was resumed.",
  "bulkTask.fileAccepted":
    "A file that had changed or failed counts as the one that a bulk task applied; the details have its name and both SHA-256 hashes.",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof auditActions;

export interface AuditEntry extends Auditor {
  action: AuditAction;
  subjectId: string;
  details?: object;
}

/** The tenant and the actor of a request's audit entries. */
export interface Auditor {
  tenant: { id: string; identifier: string };
  actor: Actor;
}

/** The actor of a request: an access token, or the person whose session it is. */
export const actorOf = ({ id, name, person }: Pick<AccessToken, "id" | "name" | "person">): Actor =>
  person === undefined ? { type: "accessToken", id, name } : { type: "person", id, name, ...person };

/** The name of an actor, as tasks store it: that of its access token or person; without an actor, the operator's. */
export const actorName = (actor: Actor = operator): string => ("name" in actor ? actor.name : actor.type);

/** Records an action. Call it in the action's transaction, so that neither is stored without the other. */
export const audit = (transaction: Queries, entry: AuditEntry): Promise<void> =>
  insertAuditEntry(transaction, entry);

/** As `audit`, for writes through a unit of work: the entry is rolled back with them. */
export const auditIn = (unit: UnitOfWork, entry: AuditEntry): void =>
  unit.insert(auditTrail, auditRow(entry));
