import type { Parameter, Queries } from "../database.ts";
import { newId } from "../ids.ts";
import { conditionList } from "../pages/conditions.ts";
import { idCursor, type Page, type PageRequest, page } from "../pages/page.ts";

/** The one whose actions the audit trail records. */
export type Actor = { type: "operator" } | { type: "accessToken"; id: string; name: string };

/** An entry to be written. */
export interface AuditEntryRow {
  readonly tenant: { id: string; identifier: string };
  readonly actor: Actor;
  readonly action: string;
  readonly subjectId: string;
  readonly details?: object;
}

const columns = [
  ...["tenant_id", "id", "tenant_identifier", "actor", "access_token_id", "access_token_name", "action"],
  ...["subject_id", "details"],
];

/**
 * The statement that writes an entry, for `auditParameters` from the place `first` on. It may be a part of another
 * statement: then it writes as many entries as `from` has rows.
 */
export function insertAudit(first = 1, from = ""): string {
  const values = columns.map((name, i) => `$${first + i}::${name === "details" ? "json" : "text"}`);
  return `INSERT INTO audit_trail (${columns.join(", ")}) SELECT ${values.join(", ")} ${from}`;
}

/** The parameters of `insertAudit`. */
export function auditParameters({ tenant, actor, action, subjectId, details }: AuditEntryRow): Parameter[] {
  const [tokenId, tokenName] = actor.type === "accessToken" ? [actor.id, actor.name] : [null, null];
  return [
    ...[tenant.id, newId(), tenant.identifier, actor.type, tokenId, tokenName, action, subjectId],
    details === undefined ? null : JSON.stringify(details),
  ];
}

/** Writes an entry; in the transaction of the action, so that neither is stored without the other. */
export async function insertAuditEntry(transaction: Queries, entry: AuditEntryRow): Promise<void> {
  await transaction.execute(insertAudit(), auditParameters(entry));
}

/** An entry of the audit trail. */
export interface AuditRow {
  id: string;
  at: string;
  tenantIdentifier: string;
  actor: "operator" | "accessToken";
  accessTokenId: string | null;
  accessTokenName: string | null;
  action: string;
  subjectId: string;
  details: unknown;
}

export interface AuditFilter {
  /** Of this tenant alone; the operator may read those of all. */
  tenantId?: string | undefined;
  /** Of the tenants that have or had this identifier. */
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
  const [beyond, limit] = [`$${parameters.length + 1}`, `$${parameters.length + 2}`];
  const rows = await queries.query<AuditRow>(
    `SELECT id, at, tenant_identifier AS "tenantIdentifier", actor, access_token_id AS "accessTokenId",
       access_token_name AS "accessTokenName", action, subject_id AS "subjectId", details
     FROM audit_trail WHERE ${where} AND (${beyond}::text IS NULL OR id < ${beyond}) ORDER BY id DESC LIMIT ${limit}`,
    [...parameters, idCursor(after), first + 1],
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
