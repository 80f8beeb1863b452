import { defineCollection } from "../unit-of-work/collection.ts";

/** An entry of the audit trail; the database adds the time. */
export interface AuditEntryRow {
  /** Increases with time. */
  id: string;
  tenantIdentifier: string;
  actor: "operator" | "accessToken" | "person" | "task";
  accessTokenId: string | null;
  accessTokenName: string | null;
  personIssuer: string | null;
  personSubject: string | null;
  personName: string | null;
  taskId: string | null;
  action: string;
  subjectId: string;
  details: object | null;
}

export const auditTrail = defineCollection<AuditEntryRow>()({
  table: "audit_trail",
  columns: {
    id: "text",
    tenantIdentifier: "text",
    actor: "text",
    accessTokenId: "text",
    accessTokenName: "text",
    personIssuer: "text",
    personSubject: "text",
    personName: "text",
    taskId: "text",
    action: "text",
    subjectId: "text",
    details: "json",
  },
  key: ["id"],
  indexes: {},
  isRecord: true,
});
