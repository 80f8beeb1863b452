import type { Queries } from "../storage/database.ts";
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
  "bulkTask.created": "A bulk task was created; the details have the key of its file.",
  "bulkTask.started": "A bulk task was started.",
  "bulkTask.cancelled": "A bulk task was cancelled.",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof auditActions;

export interface AuditEntry {
  tenant: { id: string; identifier: string };
  actor: Actor;
  action: AuditAction;
  subjectId: string;
  details?: object;
}

/** Notes who did what. To be called in the transaction that does it, so that neither is kept without the other. */
export async function audit(transaction: Queries, entry: AuditEntry): Promise<void> {
  const { tenant, actor, action, subjectId, details } = entry;
  const token = actor.type === "accessToken" ? actor : undefined;
  await transaction.execute(
    `INSERT INTO audit_trail (tenant_id, id, tenant_identifier, actor, access_token_id, access_token_name, action,
       subject_id, details) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      tenant.id,
      newId(),
      tenant.identifier,
      actor.type,
      token?.id ?? null,
      token?.name ?? null,
      action,
      subjectId,
      details === undefined ? null : JSON.stringify(details),
    ],
  );
}
