import type { Parameter, Queries } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";

/** Who does something that the audit trail keeps. */
export type Actor = { type: "operator" } | { type: "accessToken"; id: string; name: string };

export const operator: Actor = { type: "operator" };

/** Every action of the audit trail, and what it means; `subjectId` is the id of what it was done to. */
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

/** What is done in one tenant, and by whom, is noted by this. */
export interface Auditor {
  tenant: { id: string; identifier: string };
  actor: Actor;
}

const columns = [
  ...["tenant_id", "id", "tenant_identifier", "actor", "access_token_id", "access_token_name", "action"],
  ...["subject_id", "details"],
];

/**
 * The statement that notes who did what, for `auditParameters` from the place `first` on. It may be a part of another
 * statement: then it notes as many entries as `from` has rows.
 */
export function insertAudit(first = 1, from = ""): string {
  const values = columns.map((name, i) => `$${first + i}::${name === "details" ? "json" : "text"}`);
  return `INSERT INTO audit_trail (${columns.join(", ")}) SELECT ${values.join(", ")} ${from}`;
}

export function auditParameters({ tenant, actor, action, subjectId, details }: AuditEntry): Parameter[] {
  const [tokenId, tokenName] = actor.type === "accessToken" ? [actor.id, actor.name] : [null, null];
  return [
    ...[tenant.id, newId(), tenant.identifier, actor.type, tokenId, tokenName, action, subjectId],
    details === undefined ? null : JSON.stringify(details),
  ];
}

/** Notes who did what. To be called in the transaction that does it, so that neither is kept without the other. */
export async function audit(transaction: Queries, entry: AuditEntry): Promise<void> {
  await transaction.execute(insertAudit(), auditParameters(entry));
}
