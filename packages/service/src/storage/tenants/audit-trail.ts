import { type AuditEntryRow, auditTrail } from "../collections/audit-trail.ts";
import type { Parameter, Queries } from "../database.ts";
import { newId } from "../ids.ts";
import { conditionList } from "../pages/list.ts";
import { idCursor, type Page, type PageRequest, page, pageLimit } from "../pages/page.ts";
import { columnName, propertiesOf } from "../unit-of-work/collection.ts";

/** The author of actions in the audit trail. */
export type Actor =
  | { type: "operator" }
  | { type: "accessToken"; id: string; name: string }
  | { type: "person"; id: string; issuer: string; subject: string; name: string }
  | { type: "task"; id: string };

export interface AuditEntry {
  readonly tenant: { id: string; identifier: string };
  readonly actor: Actor;
  readonly action: string;
  readonly subjectId: string;
  readonly details?: object;
}

/** An entry's row, without the tenant's id. */
export function auditRow({ tenant, actor, action, subjectId, details }: AuditEntry): AuditEntryRow {
  const token = actor.type === "accessToken" ? actor : undefined;
  const person = actor.type === "person" ? actor : undefined;
  return {
    ...{ id: newId(), tenantIdentifier: tenant.identifier, actor: actor.type },
    ...{ accessTokenId: token?.id ?? null, accessTokenName: token?.name ?? null },
    ...{ personIssuer: person?.issuer ?? null, personSubject: person?.subject ?? null },
    personName: person?.name ?? null,
    taskId: actor.type === "task" ? actor.id : null,
    ...{ action, subjectId, details: details ?? null },
  };
}

const properties = propertiesOf(auditTrail);

/**
 * The statement that writes an entry, for `auditParameters` from the number `first` on. As part of another statement,
 * it writes one entry per row of `from`.
 */
export function insertAudit(first = 1, from = ""): string {
  const values = properties.map((property, i) => `$${first + 1 + i}::${auditTrail.columns[property]}`);
  const columns = ["tenant_id", ...properties.map(columnName)];
  return `INSERT INTO audit_trail (${columns.join(", ")}) SELECT $${first}::text, ${values.join(", ")} ${from}`;
}

export function auditParameters(entry: AuditEntry): Parameter[] {
  const { details, ...row } = auditRow(entry);
  return [
    entry.tenant.id,
    ...properties.map((property) =>
      property !== "details" ? row[property] : details && JSON.stringify(details),
    ),
  ];
}

/** Writes an entry; in the action's transaction, so that neither is stored without the other. */
export async function insertAuditEntry(transaction: Queries, entry: AuditEntry): Promise<void> {
  await transaction.execute(insertAudit(), auditParameters(entry));
}

export interface AuditRow extends AuditEntryRow {
  at: string;
}

export interface AuditFilter {
  /** Of this tenant only; the operator may read those of all. */
  tenantId?: string | undefined;
  /** Of tenants that have or had this identifier. */
  tenantIdentifier?: string | null | undefined;
  action?: string | null | undefined;
  subjectId?: string | null | undefined;
}

/** The audit trail, newest first. */
export async function listAuditTrail(
  queries: Queries,
  filter: AuditFilter,
  { first, after }: PageRequest,
): Promise<Page<AuditRow>> {
  const { conditions, parameters } = conditionList(
    [
      ["tenant_id = ?", filter.tenantId],
      ["tenant_identifier = ?", filter.tenantIdentifier],
      ["action = ?", filter.action],
      ["subject_id = ?", filter.subjectId],
    ],
    1,
  );
  const where = ["true", ...conditions].join(" AND ");
  const beyond = `$${parameters.length + 1}`;
  // No question to all servers of a cluster may have a limit that is a query.
  const limit = queries.cluster && filter.tenantId === undefined ? first + 1 : pageLimit(first);
  const rows = await queries.query<AuditRow>(
    `SELECT t.at, ${auditTrail.sql.columnList}
     FROM audit_trail t WHERE ${where} AND (${beyond}::text IS NULL OR id < ${beyond}) ORDER BY id DESC LIMIT ${limit}`,
    [...parameters, idCursor(after)],
  );
  return page(rows, first, {
    cursor: (row) => row.id,
    node: (row) => row,
    totalCount: async () => {
      const [row] = await queries.query<{ count: number }>(
        `SELECT count(*) FROM audit_trail WHERE ${where}`,
        parameters,
      );
      return row?.count ?? 0;
    },
  });
}
